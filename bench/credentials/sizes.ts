import type { MeasureOptions } from '../lib/measure.ts';
import type { Batches } from '../network/sizes.ts';

/** The number of operations of each measurement. */
export interface Sizes {
  readonly requests: Batches;
  readonly connections: Batches;
  readonly streams: Batches;
  /** Statements of one round of pgbench, without the first fifth. */
  readonly statements: Batches;
  readonly copies: MeasureOptions;
  /** Bytes of one COPY. */
  readonly octets: number;
  /** Commands of one round of redis-benchmark, without the first fifth. */
  readonly commands: Batches;
}

export const full: Sizes = {
  requests: { rounds: 10, warmups: 2, count: 500 },
  connections: { rounds: 10, warmups: 2, count: 100 },
  streams: { rounds: 5, warmups: 1, count: 20 },
  statements: { rounds: 9, warmups: 1, count: 5000 },
  copies: { rounds: 5, warmups: 1 },
  octets: 300_000_000,
  commands: { rounds: 7, warmups: 1, count: 200_000 },
};

/** Enough to check that everything works. */
export const quick: Sizes = {
  requests: { rounds: 2, warmups: 1, count: 50 },
  connections: { rounds: 2, warmups: 1, count: 20 },
  streams: { rounds: 1, warmups: 1, count: 3 },
  statements: { rounds: 2, warmups: 1, count: 300 },
  copies: { rounds: 1, warmups: 1 },
  octets: 20_000_000,
  commands: { rounds: 2, warmups: 1, count: 20_000 },
};
