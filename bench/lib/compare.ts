import type { Measured, Result } from './measure.ts';
import { summarise } from './stats.ts';

/** Median milliseconds of a row. Absent for an unmeasured row. */
export function medianOf(results: readonly Result[], name: string): number | undefined {
  const result = find(results, name);
  return result === undefined ? undefined : summarise(result.samples).median;
}

/** The ratio of `name` to `other`, by their medians. */
export function ratio(results: readonly Result[], name: string, other: string): number | undefined {
  return combine(medianOf(results, name), medianOf(results, other), (a, b) => a / b);
}

/** The additional milliseconds of `name` over `other`, by their medians. */
export function difference(results: readonly Result[], name: string, other: string): number | undefined {
  return combine(medianOf(results, name), medianOf(results, other), (a, b) => a - b);
}

/**
 * The median over the rounds of the additional percentage of `name` over `other`. Neighbours in a round share the state
 * of the machine, so that differences of a few percent are visible in its noise.
 */
export function pairedPercent(results: readonly Result[], name: string, other: string): number | undefined {
  return combine(find(results, name), find(results, other), (a, b) => {
    const percents = a.samples.map((sample, round) => (sample / (b.samples[round] as number) - 1) * 100);
    return summarise(percents).median;
  });
}

function find(results: readonly Result[], name: string): Measured | undefined {
  const result = results.find((candidate) => candidate.name === name);
  return result?.kind === 'measured' ? result : undefined;
}

function combine<Value>(
  a: Value | undefined,
  b: Value | undefined,
  use: (a: Value, b: Value) => number,
): number | undefined {
  return a === undefined || b === undefined ? undefined : use(a, b);
}
