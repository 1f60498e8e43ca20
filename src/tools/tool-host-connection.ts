import type { ToolProcess } from './broker/doors.ts';
import { encodeFrame } from './protocol/encode-frame.ts';
import { FrameReader } from './protocol/frame-reader.ts';
import type { FromHost, ToHost } from './protocol/messages.ts';

/** The two ends of one running program: messages in order, and an error once it is gone. */
export class ToolHostConnection {
  readonly #process: ToolProcess;
  readonly #reader = new FrameReader();
  readonly #messages: FromHost[] = [];
  #waiting: { resolve(message: FromHost): void; reject(error: unknown): void } | undefined;
  #end: Error | undefined;
  /** Who speaks next: whatever it says but a line of its log is waited for, and ends its turn. */
  #turn: 'program' | 'supervisor' = 'program';

  constructor(process: ToolProcess) {
    this.#process = process;
    process.stdin.on('error', () => undefined);
    process.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    process.ended.then(
      ({ exitCode, said }) => this.#close(new Error(`its box ended with status ${exitCode}${said === '' ? '' : `: ${said}`}`)),
      (error: Error) => this.#close(error),
    );
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  send(message: ToHost): void {
    this.#turn = 'program';
    this.#process.stdin.write(encodeFrame(message));
  }

  /** One reader at a time. Rejects when nothing more comes. */
  next(): Promise<FromHost> {
    const message = this.#messages.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** Ends the box. Whoever waits is told why. */
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
      this.end(new Error(`its box says what makes no sense: ${(error as Error).message}`));
    }
  }

  /** Attack: a box that answers the next call ahead, or fills the memory of who does not listen to it now. */
  #give(message: FromHost): void {
    if (this.#turn === 'supervisor') throw new RangeError(`"${message.kind}" that nobody asked for`);
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
