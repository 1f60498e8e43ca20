import type { Readable } from 'node:stream';
import type { Reader } from '../shown-output.ts';
import type { CommandHandle, CommandResult } from './command-handle.ts';

/** Keeps the start and the end of a byte stream, and counts the bytes between them. */
export class KeptEnds {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headSize = 0;
  #tailSize = 0;
  #dropped = 0;

  /** `most`: bytes of both ends together. The line that replaces the omitted bytes does not count. */
  constructor(most: number) {
    this.#half = most / 2;
  }

  /** Pushed bytes that `bytes` no longer returns. */
  get leftOut(): number {
    return this.#dropped === 0 ? 0 : this.#dropped + this.#ends().cut;
  }

  push(chunk: Buffer): void {
    const room = Math.max(0, Math.floor(Math.min(this.#half - this.#headSize, chunk.length)));
    if (room > 0) this.#head.push(chunk.subarray(0, room));
    this.#headSize += room;
    if (room < chunk.length) this.#pushTail(chunk.subarray(room));
  }

  /** Returns all bytes, or both ends with a line between them that says how many bytes are missing. */
  bytes(): Buffer {
    if (this.#dropped === 0) return Buffer.concat([...this.#head, ...this.#tail]);
    const { head, tail } = this.#ends();
    return Buffer.concat([head, Buffer.from(`\n[… ${this.leftOut} bytes left out …]\n`), tail]);
  }

  #pushTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailSize += chunk.length;
    for (
      let first = this.#tail[0];
      first !== undefined && this.#tailSize - first.length >= this.#half;
      first = this.#tail[0]
    ) {
      this.#tail.shift();
      this.#tailSize -= first.length;
      this.#dropped += first.length;
    }
    const over = Math.ceil(this.#tailSize - this.#half);
    if (over <= 0) return;
    this.#tail[0] = (this.#tail[0] as Buffer).subarray(over);
    this.#tailSize -= over;
    this.#dropped += over;
  }

  /** Both ends, without characters that the cut split. */
  #ends(): { readonly head: Buffer; readonly tail: Buffer; readonly cut: number } {
    const [head, tail] = [Buffer.concat(this.#head), Buffer.concat(this.#tail)];
    const [end, start] = [endOfWhole(head), startOfWhole(tail)];
    return { head: head.subarray(0, end), tail: tail.subarray(start), cut: head.length - end + start };
  }
}

const longestCharacter = 4;

function startOfWhole(bytes: Buffer): number {
  let at = 0;
  while (at < longestCharacter - 1 && isContinuation(bytes[at])) at += 1;
  return at;
}

/** Returns where the last character starts if it is cut, and the length otherwise. */
function endOfWhole(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && bytes.length - at < longestCharacter && isContinuation(bytes[at])) at -= 1;
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - at < length ? at : bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Keeps the start of a byte stream, and counts all further bytes. */
export class KeptStart {
  readonly #chunks: Buffer[] = [];
  #room: number;
  leftOut = 0;

  constructor(most: number) {
    this.#room = most;
  }

  push(chunk: Buffer): void {
    const kept = chunk.length <= this.#room ? chunk : chunk.subarray(0, this.#room);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#room -= kept.length;
    this.leftOut += chunk.length - kept.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

interface CollectOptions {
  readonly show: Reader | undefined;
  /** Bytes kept of each stream. */
  readonly limit: number;
  /** Default: `start`. */
  readonly keep?: KeptPart | undefined;
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

/**
 * `ends` keeps half from the start and half from the end, with a line between them that says how many bytes are
 * missing.
 */
export type KeptPart = 'start' | 'ends';

type Collected = Pick<CommandResult, 'stdout' | 'stderr' | 'findings' | 'truncated'>;

/**
 * Collects both streams until they end. Bytes beyond the limit are read, counted and dropped, so that the command never
 * blocks.
 */
export async function collectOutput(
  { stdout, stderr }: Pick<CommandHandle, 'stdout' | 'stderr'>,
  options: CollectOptions,
): Promise<Collected> {
  const { show } = options;
  if (show === undefined) return both(await Promise.all([collect(stdout, options), collect(stderr, options)]), []);
  const { shownOutput } = await import('../shown-output.ts');
  const streams = [shownOutput(stdout, show), shownOutput(stderr, show)] as const;
  const outputs = await Promise.all([collect(streams[0].stream, options), collect(streams[1].stream, options)]);
  return both(
    outputs,
    streams.flatMap(({ findings }) => findings()),
  );
}

interface Part {
  readonly bytes: Buffer;
  readonly truncated: number;
}

function both([out, err]: readonly [Part, Part], findings: Collected['findings']): Collected {
  return {
    stdout: out.bytes,
    stderr: err.bytes,
    truncated: { stdout: out.truncated, stderr: err.truncated },
    findings,
  };
}

async function collect(stream: Readable, { limit, keep = 'start', onOutput }: CollectOptions): Promise<Part> {
  const kept = keep === 'ends' ? new KeptEnds(limit) : new KeptStart(limit);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    kept.push(chunk);
    onOutput?.(chunk);
  }
  return { bytes: kept.bytes(), truncated: kept.leftOut };
}
