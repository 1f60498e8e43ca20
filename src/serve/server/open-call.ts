import { serveLimits } from '../limits.ts';
import type { WireChannel, StreamPiece, StreamName } from '../wire/channel.ts';
import { malformedFrame, type Frame } from '../wire/frame.ts';
import type { ClientWord } from '../wire/messages.ts';

/** One request of a client, as anyone who answers it has it. */
export interface Call {
  /** Aborted when the client is gone. */
  readonly lost: AbortSignal;
  /** What it is told before the answer. */
  note(note: object): void;
  /** Resolves when the client has room for it: at its pace. */
  write(stream: Exclude<StreamName, 'stdin'>, data: Buffer): Promise<'sent' | 'lost'>;
  /** What the client types or pipes in, until it says that there is no more. For one reader. */
  input(): AsyncGenerator<StreamPiece, void>;
  /** What it says meanwhile, and has said already. */
  listen(hear: (word: ClientWord) => void): void;
}

/** A request that has no answer yet. */
export class OpenCall implements Call {
  readonly lost: AbortSignal;
  readonly #channel: WireChannel;
  readonly #read: (payload: Buffer) => ClientWord;
  readonly #early: ClientWord[] = [];
  #listener: ((word: ClientWord) => void) | undefined;

  constructor(channel: WireChannel, lost: AbortSignal, read: (payload: Buffer) => ClientWord) {
    this.#channel = channel;
    this.lost = lost;
    this.#read = read;
  }

  note(note: object): void {
    this.#channel.message({ kind: 'note', note });
  }

  write(stream: Exclude<StreamName, 'stdin'>, data: Buffer): Promise<'sent' | 'lost'> {
    return this.#channel.write(stream, data);
  }

  input(): AsyncGenerator<StreamPiece, void> {
    return this.#channel.read();
  }

  listen(hear: (word: ClientWord) => void): void {
    this.#listener = hear;
    for (const word of this.#early.splice(0)) hear(word);
  }

  /** Throws `HF_SERVE_PROTOCOL`. */
  hear(frame: Frame): void {
    if (frame.type !== 'message') return this.#channel.hear(frame, ['stdin']);
    const word = this.#read(frame.payload);
    if (this.#listener !== undefined) return this.#listener(word);
    if (this.#early.length >= serveLimits.early) throw malformedFrame('many words on a request that is not under way');
    this.#early.push(word);
  }

  close(): void {
    this.#channel.close();
  }
}
