import type { Random } from '../differential/random.ts';

/** Something that takes bytes of anybody, and what has to hold of it for all of them. */
export interface Target {
  readonly name: string;
  /** Bytes that are mostly as they should be. */
  readonly generate: (random: Random) => Buffer;
  /** What is wrong; undefined where nothing is. The same for the same bytes and seed. What it throws is wrong too. */
  readonly problemOf: (bytes: Buffer, seed: number) => string | undefined;
  /** Only goes over the bytes: what this takes for many of them is measured. */
  readonly goOver: (bytes: Buffer) => void;
}
