import process from 'node:process';

/*
 * What a test may say of cost: never milliseconds, which depend on the machine and on who else is busy on it. Processor
 * time is compared with that of other work of the same test. It is that of the process, whose files run one after the
 * other: the kernel tells that of a thread in steps of 4 ms only.
 */

/** Milliseconds of processor time below which a measurement says nothing. */
const measurable = 4;
const attempts = 12;
/** From this size on the square of a size is certainly measurable. */
const certain = 100_000;

/** What is linear has at most this growth; between 1 and 16, with room for caches that the larger input leaves. */
export const linear = 5;

/**
 * How many times as long `work` takes for each part of its input, where it has sixteen times as many: 1 where the cost
 * grows as the size does, 16 where it grows as its square. The least of up to twelve attempts, as collecting garbage
 * may disturb one.
 */
export async function growth(work: (size: number) => unknown, largest: number): Promise<number> {
  const small = Math.ceil(largest / 16);
  let result = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && result > 2; attempt += 1) {
    const [less, more] = [await timeOf(() => work(small)), await timeOf(() => work(largest))];
    // Squared, so many steps are seconds. What is done in less than can be measured is not quadratic, and the ratio of two
    // such times is that of their caches (seen: 15 µs and 1.2 ms for a search that skips through the text).
    if (largest >= certain && more < measurable) return 1;
    result = Math.min(result, (more / less / largest) * small);
  }
  return result;
}

/** Milliseconds of processor time for one run, of as many as make it measurable. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = processorTime();
  for (let runs = 1; ; runs += 1) {
    await work();
    const time = processorTime() - start;
    if (time >= measurable) return time / runs;
  }
}

/**
 * What `work` gives. Throws where it costs more than so many units in each of twelve attempts: for bounds that are no
 * matter of growth. A unit is a loop, measured right beside it, that takes about half a millisecond on a machine of
 * 2025.
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

/** So little time needs no unit to be measured: no machine takes so few milliseconds for many of them. */
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
