import type { Duplex } from 'node:stream';
import type { TurnEnd } from './turn-end.ts';
import { writePieces } from './write-pieces.ts';

/** Writes to one side at the end of the turn. */
export interface LateWriter {
  write(pieces: readonly Buffer[]): void;
  /** Writes now what waits: before the side is ended. */
  flush(): void;
}

export interface LateWriterOptions {
  readonly turn: TurnEnd;
  /** The side does not keep up: nothing more should be written before `drain`. */
  full(): void;
}

export function createLateWriter(target: Duplex, { turn, full }: LateWriterOptions): LateWriter {
  let waiting: Buffer[] = [];
  const flush = (): void => {
    const pieces = waiting;
    waiting = [];
    if (!writePieces(target, pieces)) full();
  };
  return {
    write(pieces) {
      for (const piece of pieces) {
        if (piece.length === 0) continue;
        waiting.push(piece);
        if (waiting.length === 1) turn.add(flush);
      }
    },
    flush,
  };
}
