import type { Random } from '../differential/random.ts';

/** A function that takes untrusted bytes, with properties that hold for all of them. */
export interface Target {
  readonly name: string;
  /** Mostly valid bytes. */
  readonly generate: (random: Random) => Buffer;
  /** Returns the error, or undefined. Equal bytes and seeds give equal results. An exception is an error too. */
  readonly problemOf: (bytes: Buffer, seed: number) => string | undefined;
  /** Only reads the bytes, so that its time for many of them can be measured. */
  readonly goOver: (bytes: Buffer) => void;
}
