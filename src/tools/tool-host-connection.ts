import { safeParse } from 'valibot';
import type { ToolProcess } from './broker/doors.ts';
import { encodeToolFrame, frameHeaderLength, largestToolFrame } from './protocol/frames.ts';
import { type FromHost, fromHostSchema, type ToHost } from './protocol/messages.ts';

/** A connection to one running program: messages in order, and an error once it is gone. */
export class ToolHostConnection {
  readonly #process: ToolProcess;
  readonly #reader = new ToolFrameReader();
  readonly #messages: FromHost[] = [];
  #waiting: { resolve(message: FromHost): void; reject(error: unknown): void } | undefined;
  #end: Error | undefined;
  /** Whose turn it is. Any message except a log line ends the program's turn. */
  #turn: 'program' | 'supervisor' = 'program';

  constructor(process: ToolProcess) {
    this.#process = process;
    process.stdin.on('error', () => undefined);
    process.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    process.ended.then(
      ({ exitCode, said }) =>
        this.#close(new Error(`its box ended with status ${exitCode}${said === '' ? '' : `: ${said}`}`)),
      (error: Error) => this.#close(error),
    );
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  send(message: ToHost): void {
    this.#turn = 'program';
    this.#process.stdin.write(encodeToolFrame(message));
  }

  /** Returns the next message, for one reader at a time. Rejects if no more messages come. */
  next(): Promise<FromHost> {
    const message = this.#messages.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** Ends the box, and rejects all waiting calls with the reason. */
  end(reason: Error): void {
    this.#close(reason);
    this.#process.end();
  }

  /** Resolves when the box is gone. */
  async gone(): Promise<void> {
    await this.#process.ended.catch(() => undefined);
  }

  #take(chunk: Buffer): void {
    if (this.#end !== undefined) return;
    try {
      for (const message of this.#reader.push(chunk)) this.#give(message);
    } catch (error) {
      this.end(new Error(`its box sent an invalid answer: ${(error as Error).message}`));
    }
  }

  /** Attack: a box answers the next call early, or fills the memory while no call is waiting. */
  #give(message: FromHost): void {
    if (this.#turn === 'supervisor') throw new RangeError(`"${message.kind}" that was not requested`);
    if (message.kind !== 'log') this.#turn = 'supervisor';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#messages.push(message);
    else waiting.resolve(message);
  }

  #close(reason: Error): void {
    this.#end ??= reason;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#end);
  }
}

/** Splits a stream into frames, and checks each one. Holds at most one incomplete frame. */
export class ToolFrameReader {
  #parts: Buffer[] = [];
  #held = 0;

  /** Yields the complete messages. Throws `RangeError` for an invalid one, and must not be called after that. */
  *push(chunk: Buffer): Generator<FromHost> {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    for (let body = this.#next(); body !== undefined; body = this.#next()) yield messageOf(body);
  }

  #next(): Buffer | undefined {
    if (this.#held < frameHeaderLength) return undefined;
    if ((this.#parts[0]?.length ?? 0) < frameHeaderLength) this.#join();
    const length = (this.#parts[0] ?? Buffer.alloc(frameHeaderLength)).readUInt32LE(0);
    if (length > largestToolFrame) throw new RangeError(`a frame of ${length} bytes, ${largestToolFrame} are allowed`);
    if (this.#held < frameHeaderLength + length) return undefined;
    const all = this.#join();
    const body = all.subarray(frameHeaderLength, frameHeaderLength + length);
    const rest = all.subarray(frameHeaderLength + length);
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
  if (!result.success) throw new RangeError(`an invalid message: ${result.issues[0].message.slice(0, 200)}`);
  return result.output;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new RangeError('a frame that is not JSON');
  }
}
