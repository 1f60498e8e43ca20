import { randomBytes } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathText } from '../kernel/index.ts';

/**
 * Something that was deleted, overwritten or truncated in a box and kept. It lives in `STATE/trash/ID/`: `entry.json`
 * and `content`.
 */
export interface TrashEntry {
  /** Letters, digits and hyphens; sorts by time. */
  readonly id: string;
  /** Absolute path it had. Bytes that are no UTF-8 are written as `%FF`; `pathBytes` (base64) is exact. */
  readonly path: string;
  readonly pathBytes: string;
  readonly workspace: string;
  readonly session: string;
  readonly cause: 'deleted' | 'overwritten' | 'truncated';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes of everything in it. */
  readonly size: number;
}

export interface KeepRequest {
  /** Absolute, on the host. The last component is never followed when it is a symlink. */
  readonly path: Buffer;
  readonly workspace: string;
  readonly session: string;
  readonly cause: TrashEntry['cause'];
  /** `take` moves it away, which is the deletion; `copy` leaves it where it is. */
  readonly how: 'take' | 'copy';
}

/**
 * Where the parts of an entry lie. `content` appears in one step, and only when it is whole: it makes the entry valid.
 */
const entryFile = 'entry.json';
export const content = 'content';
/** A copy that is not whole yet. */
export const partial = 'partial';

/** What `entry.json` says besides what the identifier says. */
interface EntryFile {
  readonly version: 1;
  readonly pathBytes: string;
  readonly workspace: string;
  readonly session: string;
  readonly cause: TrashEntry['cause'];
  /** Permission bits of the item: those of a directory may have to be widened while it is moved. */
  readonly mode: number;
}

export interface ReadEntry {
  readonly entry: TrashEntry;
  /** Permission bits that it had; undefined when they are lost. */
  readonly mode: number | undefined;
}

export function writeEntry(directory: string, { path, workspace, session, cause }: KeepRequest, mode: number): void {
  const entry: EntryFile = { version: 1, pathBytes: path.toString('base64'), workspace, session, cause, mode };
  const file = openSync(join(directory, entryFile), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(file, JSON.stringify(entry));
  } finally {
    closeSync(file);
  }
}

/**
 * Undefined when there is no whole entry. One whose description a power failure took is still there, without its path.
 */
export function readEntry(trash: string, id: string): ReadEntry | undefined {
  const identified = readIdentifier(id);
  if (identified === undefined || lstatSync(join(trash, id, content), { throwIfNoEntry: false }) === undefined)
    return undefined;
  const file = parse(join(trash, id, entryFile));
  const path = Buffer.from(file?.pathBytes ?? '', 'base64');
  const entry = {
    ...identified,
    path: pathText(path),
    pathBytes: path.toString('base64'),
    workspace: file?.workspace ?? '',
    session: file?.session ?? '',
    cause: file?.cause ?? 'deleted',
  };
  return { entry, mode: file?.mode };
}

function parse(path: string): EntryFile | undefined {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as EntryFile;
    return file.version === 1 && typeof file.pathBytes === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}

/** What the name of an entry says by itself, so that a quota needs one directory listing and no file. */
export interface Identified {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
}

/** `20261103-101112-345678-k3f9xq-2s`: UTC to the microsecond, chance, and the size in base 36. Sorts by time. */
export function makeIdentifier(microseconds: number, size: number): string {
  const whole = new Date(Math.floor(microseconds / 1000)).toISOString();
  const time = whole.slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-');
  const fraction = String(Math.floor(microseconds % 1e6)).padStart(6, '0');
  return `${time}-${fraction}-${randomBytes(3).toString('hex')}-${Math.ceil(size).toString(36)}`;
}

/** Undefined when the name is none of an entry. */
export function readIdentifier(name: string): Identified | undefined {
  const groups = pattern.exec(name)?.groups;
  if (groups === undefined) return undefined;
  const { year, month, day, hour, minute, second, millisecond, size = '' } = groups;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : { id: name, at, size: Number.parseInt(size, 36) };
}

const pattern =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)-(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)-(?<millisecond>\d{3})\d{3}-[\da-f]{6}-(?<size>[\da-z]{1,11})$/u;
