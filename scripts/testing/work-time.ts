import process from 'node:process';

/*
 * Measures of cost for tests. They are never milliseconds, which depend on the machine and its load. A test compares
 * processor time with that of other work in the test. The time is that of the process, whose files run in turn, because
 * the kernel reports a thread's time only in steps of 4 ms.
 */

/** Milliseconds of processor time below which a measurement is meaningless. */
const measurable = 4;
const attempts = 12;
/** Inputs with this many characters, done within this many milliseconds, are also compared with larger ones. */
const brief = { from: 100_000, below: 50, larger: 8 } as const;

/** Linear work has at most this growth: between 1 and 16, with room for caches that the larger input evicts. */
export const linear = 5;

/**
 * The growth of the time of `work` for each part of its input, when the input grows by sixteen. The result is 1 for a
 * linear cost and 16 for a quadratic one. The minimum of up to twelve attempts, because garbage collection may disturb
 * one.
 */
export async function growth(work: (size: number) => unknown, largest: number): Promise<number> {
  const least = await leastGrowth(work, Math.ceil(largest / 16), largest);
  if (least.ratio <= linear || largest < brief.from || least.time > brief.below) return least.ratio;
  // New memory is expensive. On a virtual machine, 64 KiB of old memory took 30 µs, and a new megabyte 7 ms. Both large
  // inputs are in new memory. A quadratic function still grows by eight.
  return Math.min(least.ratio, (await leastGrowth(work, largest, largest * brief.larger)).ratio);
}

interface Growth {
  readonly ratio: number;
  /** Milliseconds for the larger input. */
  readonly time: number;
}

async function leastGrowth(work: (size: number) => unknown, small: number, large: number): Promise<Growth> {
  let least: Growth = { ratio: Number.POSITIVE_INFINITY, time: Number.POSITIVE_INFINITY };
  // Before its compilation, work on a small input is so slow that the cost would not seem to grow.
  for (let warm = 0; warm < 3; warm += 1) await timeOf(() => work(small));
  for (let attempt = 0; attempt < attempts && least.ratio > 2; attempt += 1) {
    const [less, more] = [await timeOf(() => work(small)), await timeOf(() => work(large))];
    const ratio = (more / less / large) * small;
    if (ratio < least.ratio) least = { ratio, time: more };
  }
  return least;
}

/** Milliseconds of processor time for one run, from as many runs as a measurement needs. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = processorTime();
  for (let runs = 1; ; runs += 1) {
    await work();
    const time = processorTime() - start;
    if (time >= measurable) return time / runs;
  }
}

/**
 * The result of `work`. Throws if it costs more than this many units in each of twelve attempts. For bounds that do not
 * concern growth. A unit is a loop, measured next to it, that takes about half a millisecond on a machine of 2025.
 */
export function atMost<Result>(units: number, work: () => Result): Result {
  let taken = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const start = processorTime();
    const result = work();
    const time = processorTime() - start;
    taken = Math.min(taken, time / (time < measurable ? slowestUnit : unit()));
    if (taken <= units) return result;
  }
  throw new Error(`this costs ${Math.round(taken)} units of work, and may cost ${units}`);
}

/** No machine takes this few milliseconds for many units, so a shorter time needs no measured unit. */
const slowestUnit = 0.1;

function unit(): number {
  const start = processorTime();
  for (let runs = 1; ; runs += 1) {
    const words = new Map<string, number>();
    for (let index = 0; index < 6000; index += 1) words.set(`w${index % 997}`, index);
    const time = processorTime() - start;
    if (time >= measurable) return time / runs;
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
