import { randomBytes } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathText } from '../kernel/index.ts';

/**
 * A kept file or tree that was deleted, overwritten or truncated in a box. It is in `STATE/trash/ID/`: `entry.json` and
 * `content`.
 */
export interface TrashEntry {
  /** Letters, digits and hyphens; sorts by time. */
  readonly id: string;
  /** The former absolute path. Bytes that are not UTF-8 become `%FF`; `pathBytes` (base64) is exact. */
  readonly path: string;
  readonly pathBytes: string;
  readonly workspace: string;
  readonly session: string;
  readonly cause: 'deleted' | 'overwritten' | 'truncated';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes of its whole content. */
  readonly size: number;
}

export interface KeepRequest {
  /** Absolute path on the host. The last component is never followed if it is a symlink. */
  readonly path: Buffer;
  readonly workspace: string;
  readonly session: string;
  readonly cause: TrashEntry['cause'];
  /** `take` moves the item away, which is the deletion. `copy` leaves it in place. */
  readonly how: 'take' | 'copy';
}

/** Parts of an entry. `content` appears in one step once it is complete, and makes the entry valid. */
const entryFile = 'entry.json';
export const content = 'content';
/** A copy in progress. */
export const partial = 'partial';

/** Content of `entry.json`, without the facts that the identifier holds. */
interface EntryFile {
  readonly version: 1;
  readonly pathBytes: string;
  readonly workspace: string;
  readonly session: string;
  readonly cause: TrashEntry['cause'];
  /** Permission bits of the item. A directory's may have to be widened while it is moved. */
  readonly mode: number;
}

export interface ReadEntry {
  readonly entry: TrashEntry;
  /** The original permission bits. Undefined if they are lost. */
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
 * Undefined unless the entry is complete. If its description was lost in a power failure, the entry remains, but
 * without its path.
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

/** Facts in the name of an entry, so that a quota needs only a directory listing. */
export interface Identified {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * `20261103-101112-345678-k3f9xq-2s`: UTC to the microsecond, random characters, and the size in base 36. Sorts by
 * time.
 */
export function makeIdentifier(microseconds: number, size: number): string {
  const whole = new Date(Math.floor(microseconds / 1000)).toISOString();
  const time = whole.slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-');
  const fraction = String(Math.floor(microseconds % 1e6)).padStart(6, '0');
  return `${time}-${fraction}-${randomBytes(3).toString('hex')}-${Math.ceil(size).toString(36)}`;
}

/** Undefined for any other name. */
export function readIdentifier(name: string): Identified | undefined {
  const groups = pattern.exec(name)?.groups;
  if (groups === undefined) return undefined;
  const { year, month, day, hour, minute, second, millisecond, size = '' } = groups;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : { id: name, at, size: Number.parseInt(size, 36) };
}

const pattern =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)-(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)-(?<millisecond>\d{3})\d{3}-[\da-f]{6}-(?<size>[\da-z]{1,11})$/u;
