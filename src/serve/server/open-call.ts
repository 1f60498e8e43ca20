import { serveLimits } from '../limits.ts';
import type { WireChannel, StreamPiece, StreamName } from '../wire/channel.ts';
import { malformedFrame, type Frame } from '../wire/frame.ts';
import type { ClientWord } from '../wire/messages.ts';

/** A client's request, as its handler sees it. */
export interface Call {
  /** Aborted when the client is disconnected. */
  readonly lost: AbortSignal;
  /** Sends a note to the client before the answer. */
  note(note: object): void;
  /** Resolves once the client has room for the data, which sets the pace. */
  write(stream: Exclude<StreamName, 'stdin'>, data: Buffer): Promise<'sent' | 'lost'>;
  /** Yields the client's input until its end. For one reader. */
  input(): AsyncGenerator<StreamPiece, void>;
  /** Calls `hear` with messages during the request, including earlier ones. */
  listen(hear: (word: ClientWord) => void): void;
}

/** A request without an answer. */
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
