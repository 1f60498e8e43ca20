import { constants } from 'node:fs';
import { Readable } from 'node:stream';
import { HoldfastError } from '../errors/index.ts';
import type { WorkerConnection } from './connection.ts';
import type { Desk } from './desk.ts';
import { largestPayload, type FilePath } from './types.ts';

/** A part of a file, in bytes. Default: the whole file. */
export interface Range {
  /** Default: 0. */
  readonly offset?: number;
  /** Default: to the end. */
  readonly length?: number;
}

/** Parts that are requested ahead of the one that a reader waits for. */
const readAhead = 4;

/**
 * Reads a file. A small file needs one request. The parts of a larger one come from one open file, so that nobody can
 * exchange it meanwhile.
 */
export async function readFile(
  desk: Desk,
  path: FilePath,
  { offset = 0, length = Number.POSITIVE_INFINITY }: Range,
): Promise<Buffer> {
  const wanted = Math.min(length, largestPayload);
  const { data, size } = await desk.one({ kind: 'read', path, offset, length: wanted });
  if (data.length < wanted || data.length >= length || (size > 0 && offset + data.length >= size))
    return bufferOf(data);
  const chunks: Buffer[] = [];
  let left = Math.max(length === Number.POSITIVE_INFINITY ? 0 : length, size > 0 ? mostWhole : mostWithoutSize);
  for await (const chunk of chunksOf(desk, path, { offset, length })) {
    if ((left -= chunk.length) < 0) throw tooLong(path);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The most that Node reads at once. Files of `/proc` report no size, and neither do devices. */
const mostWhole = 2 ** 31;
const mostWithoutSize = 64 << 20;

/** Attack: a box links a file that the caller reads to `/dev/zero`. */
function tooLong(path: FilePath): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `${JSON.stringify(String(path))} is too long to be read at once, or has no end`,
    {
      remedy: 'read it with `readStream`, or read a part with `length`',
    },
  );
}

export function readStream(desk: Desk, path: FilePath, range: Range): Readable {
  return Readable.from(chunksOf(desk, path, range), { objectMode: false, highWaterMark: largestPayload });
}

/** At most `readAhead` parts are in memory, however slow the reader is. */
async function* chunksOf(
  desk: Desk,
  path: FilePath,
  { offset = 0, length = Number.POSITIVE_INFINITY }: Range,
): AsyncGenerator<Buffer, void> {
  const connection = desk.connection();
  const { handle } = await desk.one(
    { kind: 'open', path, flags: constants.O_RDONLY, mode: 0, parents: 'require', replace: 'in-place' },
    { connection },
  );
  try {
    yield* partsOf({ desk, connection, handle }, { offset, length });
  } finally {
    if (!connection.isEnded) await desk.one({ kind: 'close', handle, how: 'keep' }, { connection });
  }
}

interface OpenFile {
  readonly desk: Desk;
  readonly connection: WorkerConnection;
  readonly handle: number;
}

interface Part {
  readonly length: number;
  readonly data: Promise<Buffer>;
}

async function* partsOf(file: OpenFile, { offset, length }: Required<Range>): AsyncGenerator<Buffer, void> {
  const end = offset + length;
  let ahead: Part[] = [];
  let next = offset;
  for (let at = offset; at < end; ) {
    while (ahead.length < readAhead && next < end) {
      const part = partAt(file, next, Math.min(largestPayload, end - next));
      ahead.push(part);
      next += part.length;
    }
    const part = ahead.shift() as Part;
    const data = await part.data;
    if (data.length === 0) break;
    yield data;
    at += data.length;
    // Some files return less than requested before their end. The parts requested ahead then have wrong offsets.
    if (data.length < part.length) [ahead, next] = [[], at];
  }
}

function partAt({ desk, connection, handle }: OpenFile, offset: number, length: number): Part {
  const data = desk
    .one({ kind: 'readAt', handle, offset, length }, { connection })
    .then((answer) => bufferOf(answer.data));
  // Nobody awaits these answers any more.
  data.catch(() => undefined);
  return { length, data };
}

function bufferOf(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

export interface PathOptions {
  readonly encoding?: 'utf8' | 'buffer';
}

/** Reads a symlink's text or a real path. */
export async function shownPathOf(
  desk: Desk,
  operation: { readonly kind: 'readlink' | 'realpath'; readonly path: FilePath },
  { encoding = 'utf8' }: PathOptions = {},
): Promise<string | Buffer> {
  const path = Buffer.from((await desk.one(operation)).path);
  return encoding === 'buffer' ? path : path.toString();
}
