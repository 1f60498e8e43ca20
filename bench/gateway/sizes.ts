export interface Sizes {
  readonly firstBytes: { readonly rounds: number; readonly warmups: number; readonly count: number };
  readonly large: { readonly rounds: number; readonly warmups: number };
  readonly streams: { readonly rounds: number; readonly warmups: number; readonly events: number };
  /** Streams at once, and their duration in seconds. */
  readonly crowd: { readonly count: number; readonly seconds: number };
}

export const full: Sizes = {
  firstBytes: { rounds: 30, warmups: 5, count: 10 },
  large: { rounds: 30, warmups: 10 },
  streams: { rounds: 9, warmups: 1, events: 2000 },
  crowd: { count: 200, seconds: 5 },
};

/** A check that everything works: the figures mean little. */
export const quick: Sizes = {
  firstBytes: { rounds: 2, warmups: 1, count: 5 },
  large: { rounds: 2, warmups: 1 },
  streams: { rounds: 1, warmups: 0, events: 100 },
  crowd: { count: 20, seconds: 1 },
};
