import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { HoldfastError } from '../errors/index.ts';
import type { CommandEnd, CommandHandle } from '../session/commands/command-handle.ts';
import type { LanguagePreset } from './languages.ts';
import { encodeDriver, encodeInterrupt, encodeCodeRequest, type CodeRequest } from './protocol/encode-request.ts';
import { MarkFinder, type CodeReply, CodeReplyReader } from './protocol/reply-reader.ts';

/** Milliseconds between one way of interrupting and the next. */
const pause = 250;
/** Milliseconds before another signal. A signal that arrives before the text has begun has no effect. */
const repeat = 2000;

/** Receiver of the code's output. */
export interface CodeOutput {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
}

/** `ended`: how the interpreter ended, if it ended before it answered. */
export interface Answered {
  readonly replies: readonly CodeReply[];
  readonly ended?: CommandEnd;
}

/**
 * One process that runs texts, one after the other. Between two texts its output is not read, so the process has to
 * wait.
 */
export class ScriptInterpreter {
  readonly #handle: CommandHandle;
  readonly #preset: LanguagePreset;
  readonly #streams: readonly [HeldStream, HeldStream];
  readonly #gone: Promise<CommandEnd>;
  #nonce = '';

  constructor(handle: CommandHandle, preset: LanguagePreset, driver: string) {
    this.#handle = handle;
    this.#preset = preset;
    this.#streams = [new HeldStream(handle.stdout), new HeldStream(handle.stderr)];
    this.#gone = handle.ended;
    const drain = (): void => this.#streams.forEach((stream) => stream.drain());
    this.#gone.then(drain, drain);
    handle.stdin.on('error', () => undefined);
    handle.stdin.write(encodeDriver(driver, preset.requests));
  }

  /** ID of the command. */
  get id(): string {
    return this.#handle.id;
  }

  /** Settles when the box has ended, like `ended` of a command. */
  get gone(): Promise<CommandEnd> {
    return this.#gone;
  }

  /** Rejects with `HF_CODE_PROTOCOL` for an invalid answer, and with the errors of `gone`. */
  async ask(request: Omit<CodeRequest, 'nonce'>, output: CodeOutput): Promise<Answered> {
    const nonce = randomBytes(16).toString('hex');
    this.#nonce = nonce;
    const replies: CodeReply[] = [];
    const heard = Promise.all([this.#hearOutput(nonce, output), this.#hearReplies(nonce, replies, output)]);
    // A caller that learns that the box has ended does not wait for the remaining output.
    heard.catch(() => undefined);
    this.#handle.stdin.write(encodeCodeRequest({ ...request, nonce }, this.#preset.requests));
    try {
      const ended = await Promise.race([heard.then(() => undefined), this.#end()]);
      return ended === undefined ? { replies } : { replies, ended };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.kill('SIGKILL');
      await this.#gone.catch(() => undefined);
      throw new HoldfastError(
        'HF_CODE_PROTOCOL',
        `the interpreter was ended, because it sent an invalid answer: ${error.message}`,
        { remedy: 'restart the context; the code forged an answer' },
      );
    } finally {
      for (const stream of this.#streams) stream.rest();
    }
  }

  /**
   * Interrupts the running text by the language's own means, and ends the whole box after `grace` milliseconds. Call
   * the returned function once an answer has arrived.
   */
  interrupt(grace: number): () => void {
    const ways = {
      message: () => void this.#handle.stdin.write(encodeInterrupt(this.#nonce)),
      signal: () => this.kill('SIGINT'),
    };
    const [first, ...others] = this.#preset.interruptions.map((kind) => ways[kind]);
    (first ?? (() => this.kill('SIGKILL')))();
    const timers = [
      ...others.map((way, index) => setTimeout(way, pause * (index + 1))),
      setTimeout(() => this.kill('SIGKILL'), grace),
    ];
    const again = setInterval(ways.signal, repeat);
    return () => {
      clearInterval(again);
      timers.forEach((timer) => clearTimeout(timer));
    };
  }

  kill(signal: NodeJS.Signals): void {
    this.#handle.kill(signal);
  }

  /** Ends the interpreter's input. The interpreter then ends too, unless a text still runs. */
  finish(): void {
    this.#handle.stdin.end();
  }

  async #end(): Promise<CommandEnd> {
    const [end] = await Promise.all([this.#gone, ...this.#streams.map(({ closed }) => closed)]);
    return end;
  }

  #hearOutput(nonce: string, { stdout }: CodeOutput): Promise<void> {
    const finder = new MarkFinder(`\0${nonce}.`);
    return this.#streams[0].hear(
      (chunk) => {
        const { before, after } = finder.push(chunk);
        if (before.length > 0) stdout(before);
        return after;
      },
      () => stdout(finder.end()),
    );
  }

  #hearReplies(nonce: string, replies: CodeReply[], { stderr }: CodeOutput): Promise<void> {
    const reader = new CodeReplyReader(nonce);
    return this.#streams[1].hear(
      (chunk) => {
        const some = reader.push(chunk);
        some.output.forEach(stderr);
        replies.push(...some.replies);
        return some.rest;
      },
      () => stderr(reader.end()),
    );
  }
}

interface Listener {
  take(chunk: Buffer): void;
  end(): void;
}

/** A stream that is read only while it has a listener. */
class HeldStream {
  readonly closed: Promise<void>;
  readonly #stream: Readable;
  #listener: Listener | undefined;
  #held: Buffer = nothing;
  #state: 'held' | 'drained' = 'held';

  constructor(stream: Readable) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => stream.once('close', () => (this.#listener?.end(), resolve())));
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.pause();
  }

  /** Resolves when `take` returns the remaining bytes, which the next listener gets. */
  hear(take: (chunk: Buffer) => Buffer | undefined, end: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (chunk: Buffer): void => {
        try {
          const rest = take(chunk);
          if (rest === undefined) return;
          this.#held = rest;
          resolve();
        } catch (error) {
          reject(error as Error);
        }
        this.rest();
      };
      this.#listener = { take: settle, end };
      const held = this.#held;
      this.#held = nothing;
      if (held.length > 0) this.#take(held);
      if (this.#listener !== undefined) this.#stream.resume();
    });
  }

  rest(): void {
    this.#listener = undefined;
    if (this.#state === 'held') this.#stream.pause();
  }

  /** Reads the rest once nothing more is written, because an unread stream does not close. */
  drain(): void {
    this.#state = 'drained';
    this.#stream.resume();
  }

  #take(chunk: Buffer): void {
    if (this.#listener === undefined) this.#held = Buffer.concat([this.#held, chunk]);
    else this.#listener.take(chunk);
  }
}

const nothing = Buffer.alloc(0);
