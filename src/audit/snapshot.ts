import { closeSync } from 'node:fs';
import { isHoldfastError } from '../errors/index.ts';
import { keyPath, parseBody, readJournalKey, splitLine } from './chain.ts';
import { chunksOf } from './chunks.ts';
import { type Head, headPath, readJournalHead } from './head.ts';
import { withLock } from './lock.ts';
import { type Mac, macFor } from './mac.ts';
import { openOwn, type OpenedOwnFile } from './open-own.ts';
import { activePart, type JournalPart, rotatedParts } from './parts.ts';

/** A file of the journal, open, with its length at one moment. */
export interface SnapshotPart extends JournalPart {
  readonly fd: number;
  readonly size: number;
}

/** A journal at one moment, between two writes. */
export interface Snapshot {
  /** Oldest first. The last one grows. */
  readonly parts: readonly SnapshotPart[];
  readonly key: Buffer | undefined;
  /** Undefined without a key. */
  readonly mac: Mac | undefined;
  readonly head: Head | undefined;
  /** Problems of the key and the head. */
  readonly problems: readonly { readonly file: string; readonly message: string }[];
  readonly close: () => void;
}

/**
 * Takes the lock, so that it sees no half-done write. If no lock can be made, the journal is a copy on a read-only
 * disk, and needs none.
 */
export function takeSnapshot(file: string): Snapshot {
  try {
    return withLock(`${file}.lock`, () => look(file));
  } catch (error) {
    if (!['ENOENT', 'EROFS', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return look(file);
  }
}

function look(file: string): Snapshot {
  const parts: SnapshotPart[] = [];
  const close = (): void => {
    for (const { fd } of parts) closeSync(fd);
  };
  try {
    const rotated = rotatedParts(file);
    for (const { part, path } of [...rotated, { part: activePart(rotated), path: file }]) {
      const opened = unlessMissing(() => openOwn(path, 'read'));
      if (opened !== undefined)
        parts.push({
          part: path === file ? Math.max(part, statedPart(opened)) : part,
          path,
          fd: opened.fd,
          size: opened.stats.size,
        });
    }
    return { parts, close, ...lookBeside(file) };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Returns the number that a file records in itself. If the file before it is gone, its name does not tell the number.
 */
function statedPart({ fd, stats }: OpenedOwnFile): number {
  const first = firstEvent(fd, stats.size);
  const part = first?.['type'] === 'journal.rotated' ? first['part'] : undefined;
  return typeof part === 'number' && part < 1e9 ? part : 1;
}

function unlessMissing<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function lookBeside(file: string): Pick<Snapshot, 'key' | 'mac' | 'head' | 'problems'> {
  const key = told(keyPath(file), () => readJournalKey(file, 'read'));
  const mac = key.value === undefined ? undefined : macFor(key.value, Number.POSITIVE_INFINITY);
  const head =
    mac === undefined
      ? { value: undefined, problems: [] }
      : told(headPath(file), () => readJournalHead(file, mac, 'read'));
  return { key: key.value, mac, head: head.value, problems: [...key.problems, ...head.problems] };
}

/** A problem of a file beside the journal is a finding, and must not hide other findings. */
function told<Value>(
  file: string,
  read: () => Value | undefined,
): { readonly value: Value | undefined; readonly problems: Snapshot['problems'] } {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { value: undefined, problems: [{ file, message: String(error.details['problem']) }] };
  }
}

/** Returns the fields of a file's first line. Undefined if it is not an entry. */
export function firstEvent(fd: number, size: number): Readonly<Record<string, unknown>> | undefined {
  for (const { kind, bytes } of chunksOf(fd, { from: 0, to: size })) {
    const parts = kind === 'lines' ? splitLine(bytes.toString('utf8', 0, bytes.indexOf(0x0a))) : undefined;
    return parts === undefined ? undefined : parseBody(parts.body);
  }
  return undefined;
}
