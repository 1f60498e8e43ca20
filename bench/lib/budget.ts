/** A promise of the README, and this run's result for it. */
export interface Budget {
  readonly claim: string;
  /** Absent if a required figure could not be measured here. */
  readonly measured: number | undefined;
  readonly limit: number;
  readonly unit:
    | '×'
    | 'ms'
    | 'µs'
    | 'ns'
    | '%'
    | 'MB'
    | 'GB/s'
    | 'requests/s'
    | 'operations/s'
    | 'connections'
    | 'hits'
    | 'probes';
  /** `at-most`: smaller is better. */
  readonly direction: 'at-most' | 'at-least';
}

export type Verdict = 'pass' | 'miss' | 'not measured';

export function verdictOf({ measured, limit, direction }: Budget): Verdict {
  if (measured === undefined) return 'not measured';
  return (direction === 'at-most' ? measured <= limit : measured >= limit) ? 'pass' : 'miss';
}
