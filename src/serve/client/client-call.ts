import type { TerminalSize } from '../../sandbox/index.ts';
import type { Channel, Piece } from '../wire/channel.ts';
import { malformed, type Frame } from '../wire/frame.ts';
import { errorOf, readMessage, serverWord } from '../wire/messages.ts';

/** A request of ours. */
export class ClientCall<Result> {
  /** The answer. Rejects with the `HoldfastError` that the server gives, and with `HF_SERVE_LOST`. */
  readonly result: Promise<Result>;
  readonly #channel: Channel;
  readonly #notes: unknown[] = [];
  #listener: ((note: unknown) => void) | undefined;
  #settle: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    // Whoever reads the output first awaits it late.
    this.result.catch(() => undefined);
  }

  /** What the command prints, for one reader, at whose pace it prints; it ends with the answer. */
  output(): AsyncGenerator<Piece, void> {
    return this.#channel.read();
  }

  /** Is input for the command. Resolves when there is room for more, and to `lost` when nobody takes it any more. */
  write(data: Buffer): Promise<'sent' | 'lost'> {
    return this.#channel.write('stdin', data);
  }

  /** There is no more input. */
  endInput(): void {
    this.#channel.writeEnd();
  }

  signal(signal: NodeJS.Signals): void {
    this.#channel.message({ kind: 'signal', signal });
  }

  resize(size: TerminalSize): void {
    this.#channel.message({ kind: 'resize', size });
  }

  /** Looks on no more; the command goes on. */
  leave(): void {
    this.#channel.message({ kind: 'leave' });
  }

  /** Told what the server says before the answer, and has said already. */
  onNote(hear: (note: unknown) => void): void {
    this.#listener = hear;
    for (const note of this.#notes.splice(0)) hear(note);
  }

  /** For the connection. Throws `HF_SERVE_PROTOCOL`. */
  hear(frame: Frame): 'going' | 'over' {
    if (frame.type !== 'message') {
      this.#channel.hear(frame, ['stdout', 'stderr']);
      return 'going';
    }
    const word = readMessage(serverWord, frame.payload);
    if (word.kind === 'hello') throw malformed('hello twice');
    if (word.kind === 'note') {
      if (this.#listener === undefined) this.#notes.push(word.note);
      else this.#listener(word.note);
      return 'going';
    }
    if (word.kind === 'result') this.#settle?.resolve(word.result as Result);
    else this.#settle?.reject(errorOf(word.error));
    this.#channel.close();
    return 'over';
  }

  /** For the connection, when it is gone. */
  fail(error: unknown): void {
    this.#settle?.reject(error);
    this.#channel.close();
  }
}
