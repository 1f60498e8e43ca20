import { closeSync, constants, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathText } from '../kernel/index.ts';
import { readIdentifier } from './identifier.ts';
import type { KeepRequest, TrashEntry } from './types.ts';

/** Where the parts of an entry lie. `content` appears in one step, and only when it is whole: it makes the entry valid. */
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

/** Undefined when there is no whole entry. One whose description a power failure took is still there, without its path. */
export function readEntry(trash: string, id: string): ReadEntry | undefined {
  const identified = readIdentifier(id);
  if (identified === undefined || lstatSync(join(trash, id, content), { throwIfNoEntry: false }) === undefined) return undefined;
  const file = parse(join(trash, id, entryFile));
  const path = Buffer.from(file?.pathBytes ?? '', 'base64');
  const entry = { ...identified, path: pathText(path), pathBytes: path.toString('base64'), workspace: file?.workspace ?? '', session: file?.session ?? '', cause: file?.cause ?? 'deleted' };
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
