import { safeParse } from 'valibot';
import { headerLength, largestFrame } from './limits.ts';
import { fromHostSchema, type FromHost } from './messages.ts';

/** Cuts a stream into frames, and checks each. Never holds more than one frame that is not whole yet. */
export class FrameReader {
  #parts: Buffer[] = [];
  #held = 0;

  /** The messages that are whole now. Throws `RangeError` for what is none; then nothing more may be pushed. */
  *push(chunk: Buffer): Generator<FromHost> {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    for (let body = this.#next(); body !== undefined; body = this.#next()) yield messageOf(body);
  }

  #next(): Buffer | undefined {
    if (this.#held < headerLength) return undefined;
    if ((this.#parts[0]?.length ?? 0) < headerLength) this.#join();
    const length = (this.#parts[0] ?? Buffer.alloc(headerLength)).readUInt32LE(0);
    if (length > largestFrame) throw new RangeError(`a frame of ${length} bytes, ${largestFrame} are allowed`);
    if (this.#held < headerLength + length) return undefined;
    const all = this.#join();
    const body = all.subarray(headerLength, headerLength + length);
    const rest = all.subarray(headerLength + length);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    return body;
  }

  #join(): Buffer {
    const all = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }
}

function messageOf(body: Buffer): FromHost {
  const result = safeParse(fromHostSchema, jsonOf(body));
  if (!result.success) throw new RangeError(`a message that is none: ${result.issues[0].message.slice(0, 200)}`);
  return result.output;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new RangeError('a frame that is no JSON');
  }
}
