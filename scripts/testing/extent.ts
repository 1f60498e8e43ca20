import process from 'node:process';

/**
 * The extent of a sweep: a part of it with each change, and all of it at night. `scripts/nightly.sh` sets
 * HOLDFAST_EXTENT to `whole`. Both test the same things, in different numbers.
 */
const given = process.env['HOLDFAST_EXTENT'] ?? 'bounded';
if (given !== 'bounded' && given !== 'whole')
  throw new Error(`HOLDFAST_EXTENT: expected "bounded" or "whole", got ${JSON.stringify(given)}`);

/** `bounded` with each change, `whole` at night. */
export const extent: 'bounded' | 'whole' = given;

/** Runs of a property, or rounds of a race: a third of them with each change. */
export function rounds(whole: number): number {
  return given === 'whole' ? whole : Math.ceil(whole / 3);
}

/** The distance between two tested moments of a sweep. */
export function step(bounded: number): number {
  return given === 'whole' ? 1 : bounded;
}

/**
 * With each change, every n-th of equal things in a list, from the caller's offset. So two callers try different ones.
 */
export function dealt<T>(things: readonly T[], bounded: number, from = 0): readonly T[] {
  return given === 'whole' ? things : things.filter((_, index) => index % bounded === from % bounded);
}
