import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { HoldfastError } from '../../../errors/index.ts';
import { isKernelError, openAt, resolve } from '../../../kernel/index.ts';
import { openPlace } from '../../../staged/changes/place.ts';
import type { SentEntry } from './types.ts';
import type { FoundEntry } from './walk-workspace.ts';

const block = 512;
const readSome = promisify(read);

/** The list of sent files grows with the reading of the archive. */
export interface Sending {
  readonly entries: Map<string, SentEntry>;
  readonly leftOut: string[];
}

/**
 * Yields an archive of a workspace for `tar -x`, and notes its entries. Throws `HF_ROOT_CHANGED` for a file that
 * becomes shorter during the reading.
 */
export async function* tarOf(root: string, found: readonly FoundEntry[], sending: Sending): AsyncGenerator<Buffer> {
  const place = openPlace(root);
  try {
    for (const entry of found) {
      const { path, type, mode, target = '' } = entry;
      if (type === 'file') {
        yield* fileIn(place, entry, sending);
        continue;
      }
      sending.entries.set(path, type === 'directory' ? { type, mode } : { type, target });
      yield headerOf(type === 'directory' ? { ...entry, path: `${path}/` } : entry);
    }
    yield Buffer.alloc(2 * block);
  } finally {
    closeSync(place);
  }
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function* fileIn(place: number, entry: FoundEntry, sending: Sending): AsyncGenerator<Buffer> {
  const file = openFile(place, entry.path);
  if (file === undefined) return void sending.leftOut.push(entry.path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return void sending.leftOut.push(entry.path);
    yield headerOf({ ...entry, size: stats.size });
    const hash = createHash('sha256');
    for (let at = 0; at < stats.size; ) {
      const buffer = Buffer.allocUnsafe(Math.min(1 << 18, stats.size - at));
      const { bytesRead } = await readSome(file, buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw becameShorter(entry.path);
      at += bytesRead;
      hash.update(buffer.subarray(0, bytesRead));
      yield buffer.subarray(0, bytesRead);
    }
    if (stats.size % block !== 0) yield Buffer.alloc(block - (stats.size % block));
    const digest = hash.digest('base64');
    sending.entries.set(entry.path, { type: 'file', mode: entry.mode, size: stats.size, digest });
  } finally {
    closeSync(file);
  }
}

/** A directory on the way that has become a symlink is not followed. */
function openFile(place: number, path: string): number | undefined {
  try {
    return openAt(place, Buffer.from(path, 'latin1'), { flags, resolve: resolve.beneath | resolve.noSymlinks });
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

function becameShorter(path: string): HoldfastError {
  return new HoldfastError('HF_ROOT_CHANGED', `${JSON.stringify(path)} became shorter while it was sent`, {
    remedy: 'run the command again when nothing else works in the workspace',
  });
}

const typeFlags = { file: '0', symlink: '2', directory: '5' } as const;
const longestInHeader = 100;

/** Long names come first, in separate entries, as GNU tar writes them: any bytes. */
function headerOf(entry: FoundEntry): Buffer {
  const path = Buffer.from(entry.path, 'latin1');
  const target = Buffer.from(entry.target ?? '', 'latin1');
  return Buffer.concat([
    ...(path.length > longestInHeader ? [longName('L', path)] : []),
    ...(target.length > longestInHeader ? [longName('K', target)] : []),
    header({ ...entry, flag: typeFlags[entry.type], path, target }),
  ]);
}

function longName(flag: 'L' | 'K', text: Buffer): Buffer {
  const size = text.length + 1;
  const content = Buffer.alloc(Math.ceil(size / block) * block);
  text.copy(content);
  const path = Buffer.from('././@LongLink');
  return Buffer.concat([header({ flag, path, target: Buffer.alloc(0), mode: 0o644, size, modified: 0 }), content]);
}

interface Header {
  readonly flag: string;
  readonly path: Buffer;
  readonly target: Buffer;
  readonly mode: number;
  readonly size: number;
  readonly modified: number;
}

/** POSIX.1-1988, "ustar". Sends no owners: the pod has one user. */
function header({ flag, path, target, mode, size, modified }: Header): Buffer {
  const bytes = Buffer.alloc(block);
  path.copy(bytes, 0, 0, longestInHeader);
  octal(bytes, { at: 100, digits: 7, value: mode });
  octal(bytes, { at: 108, digits: 7, value: 0 });
  octal(bytes, { at: 116, digits: 7, value: 0 });
  octal(bytes, { at: 124, digits: 11, value: size });
  octal(bytes, { at: 136, digits: 11, value: Math.max(0, modified) });
  bytes.fill(' ', 148, 156);
  bytes.write(flag, 156, 'latin1');
  target.copy(bytes, 157, 0, longestInHeader);
  bytes.write('ustar\x0000', 257, 'latin1');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

function octal(bytes: Buffer, { at, digits, value }: { at: number; digits: number; value: number }): void {
  bytes.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
}
