export interface Summary {
  readonly count: number;
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
}

/** Throws for an empty list. */
export function summarise(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new RangeError('expected at least one sample');
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p10: quantile(sorted, 0.1),
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
  };
}

/** Linear between the two nearest ranks. `sorted` is not empty. `share` is from 0 to 1. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - Math.floor(at));
}
