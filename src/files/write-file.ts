import { constants } from 'node:fs';
import { HoldfastError } from '../errors/index.ts';
import type { WorkerConnection } from './connection.ts';
import type { Desk } from './desk.ts';
import { appends, writeOperation, type WriteOptions, writeTarget } from './operations.ts';
import { largestPayload, type FilePath, type OpenOperation } from './types.ts';

/** Bytes, text, or an iterable of pieces: a Node stream, a web stream, a generator. */
export type FileData = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface FileWrite {
  readonly path: FilePath;
  readonly data: FileData;
}

/** Writes in flight at a time. A stream is read at the pace of the worker's writes. */
const writesAhead = 8;

export async function writeFile(desk: Desk, { path, data }: FileWrite, options: WriteOptions): Promise<void> {
  const { flag = 'w', encoding = 'utf8' } = options;
  const whole = typeof data === 'string' ? Buffer.from(data, encoding) : data instanceof Uint8Array ? data : undefined;
  if (whole !== undefined && whole.length <= largestPayload)
    return void (await desk.one(writeOperation(path, whole, options)));
  const parts = whole === undefined ? piecesOf(data as Exclude<FileData, string | Uint8Array>, encoding) : [whole];
  const place = appends(flag) ? 'at-end' : 'at-offset';
  return writeParts(desk, { kind: 'open', ...writeTarget(path, options) }, { parts, place });
}

interface Parts {
  readonly parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly place: 'at-end' | 'at-offset';
}

async function writeParts(desk: Desk, opening: OpenOperation, { parts, place }: Parts): Promise<void> {
  const connection = desk.connection();
  const { handle } = await desk.one({ ...opening, flags: opening.flags | constants.O_WRONLY }, { connection });
  const writer = new PartWriter(desk, connection, handle);
  try {
    let offset = 0;
    for await (const part of parts) {
      for (let at = 0; at < part.length; at += largestPayload) {
        const slice = part.subarray(at, at + largestPayload);
        await writer.write(slice, place === 'at-end' ? -1 : offset);
        offset += slice.length;
      }
    }
    await writer.finish();
  } catch (error) {
    // An atomic replacement is discarded. An in-place write stays incomplete, as with any `write`.
    if (!connection.isEnded) await desk.one({ kind: 'close', handle, how: 'drop' }, { connection });
    throw error;
  }
  await desk.one({ kind: 'close', handle, how: 'keep' }, { connection });
}

/** Keeps a few writes in flight, and fails as soon as one has failed. */
class PartWriter {
  readonly #desk: Desk;
  readonly #connection: WorkerConnection;
  readonly #handle: number;
  readonly #ahead: Promise<void>[] = [];

  constructor(desk: Desk, connection: WorkerConnection, handle: number) {
    this.#desk = desk;
    this.#connection = connection;
    this.#handle = handle;
  }

  async write(data: Uint8Array, offset: number): Promise<void> {
    while (this.#ahead.length >= writesAhead) await this.#ahead.shift();
    const writing = this.#writeWhole(data, offset);
    writing.catch(() => undefined);
    this.#ahead.push(writing);
  }

  async finish(): Promise<void> {
    for (const writing of this.#ahead.splice(0)) await writing;
  }

  async #writeWhole(data: Uint8Array, offset: number): Promise<void> {
    const { length } = await this.#desk.one(
      { kind: 'writeAt', handle: this.#handle, offset, data },
      { connection: this.#connection },
    );
    if (length !== data.length)
      throw new HoldfastError(
        'HF_FILES_PROTOCOL',
        `the files worker wrote ${length} of ${data.length} bytes without an error`,
        { remedy: 'reinstall holdfast' },
      );
  }
}

/** Copies the pieces, because a reader may reuse its buffer while ours is still in flight. */
async function* piecesOf(
  data: AsyncIterable<string | Uint8Array>,
  encoding: BufferEncoding,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of data) yield typeof piece === 'string' ? Buffer.from(piece, encoding) : piece;
}
