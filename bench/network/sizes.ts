import type { MeasureOptions } from '../lib/measure.ts';

/** The number of operations of each measurement. */
export interface Sizes {
  readonly connections: Batches;
  readonly secureConnections: Batches;
  readonly downloads: MeasureOptions;
  /** Bytes of one download. */
  readonly octets: number;
  readonly requests: Batches;
  readonly streams: Batches;
  /** Connections at once. */
  readonly crowd: number;
  readonly starts: MeasureOptions;
}

export interface Batches extends MeasureOptions {
  /** Of each round. */
  readonly count: number;
}

export const full: Sizes = {
  connections: { rounds: 10, warmups: 3, count: 400 },
  secureConnections: { rounds: 10, warmups: 2, count: 200 },
  downloads: { rounds: 7, warmups: 1 },
  octets: 500_000_000,
  requests: { rounds: 7, warmups: 1, count: 1000 },
  streams: { rounds: 5, warmups: 1, count: 20 },
  crowd: 5000,
  starts: { rounds: 40, warmups: 3 },
};

/** Enough to check that everything works. */
export const quick: Sizes = {
  connections: { rounds: 2, warmups: 1, count: 50 },
  secureConnections: { rounds: 2, warmups: 1, count: 50 },
  downloads: { rounds: 2, warmups: 1 },
  octets: 100_000_000,
  requests: { rounds: 2, warmups: 1, count: 200 },
  streams: { rounds: 1, warmups: 1, count: 5 },
  crowd: 300,
  starts: { rounds: 5, warmups: 2 },
};
