import type { ClientWord } from '../wire/messages.ts';
import type { Piece, StreamName } from '../wire/channel.ts';

/** One request of a client, as whoever answers it has it. */
export interface Call {
  /** Aborted when the client is gone. */
  readonly lost: AbortSignal;
  /** What it is told before the answer. */
  note(note: object): void;
  /** Resolves when the client has room for it: at its pace. */
  write(stream: Exclude<StreamName, 'stdin'>, data: Buffer): Promise<'sent' | 'lost'>;
  /** What the client types or pipes in, until it says that there is no more. For one reader. */
  input(): AsyncGenerator<Piece, void>;
  /** What it says meanwhile, and has said already. */
  listen(hear: (word: ClientWord) => void): void;
}
