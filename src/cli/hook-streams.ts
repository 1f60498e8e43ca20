import { closeSync, readSync, writeSync } from 'node:fs';
import process from 'node:process';
import type { CommandInput } from './command.ts';

const pieceSize = 64 * 1024;

/** All of stdin as UTF-8; undefined for more than so many bytes, or for what is none. A stream for it costs a fifth of the process, so there is one only where reading would have to wait. */
export async function readInput(most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of pieces()) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

async function* pieces(): AsyncGenerator<Buffer, void> {
  for (let piece = readPiece(); piece !== 'end'; piece = readPiece()) {
    if (piece === 'later') return yield* process.stdin as AsyncIterable<Buffer>;
    yield piece;
  }
}

function readPiece(): Buffer | 'end' | 'later' {
  const piece = Buffer.allocUnsafe(pieceSize);
  try {
    const length = readSync(0, piece);
    return length === 0 ? 'end' : piece.subarray(0, length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'later';
    throw error;
  }
}

/** Without a stream where all of it goes at once, for the same reason: then it is `written`. */
export function writeOutput(name: 'stdout' | 'stderr', text: string, io: CommandInput['io']): 'written' | 'later' {
  const bytes = Buffer.from(text);
  if (bytes.length <= pieceSize && writeNow(name === 'stdout' ? 1 : 2, bytes) === 'written') return 'written';
  io[name].write(text);
  return 'later';
}

/** Whoever reads sees the end of both streams, and need not wait for that of the process. */
export function sayStatus(descriptor: number, status: number): void {
  for (const stream of [1, 2]) closeSync(stream);
  writeSync(descriptor, Buffer.of(status));
}

/** `later`: nothing was written. */
function writeNow(descriptor: 1 | 2, bytes: Buffer): 'written' | 'later' {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      if (at === 0) return 'later';
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  return 'written';
}
