/**
 * The result of `work`, or `late` if a timer of this many milliseconds fires first. For limits that are timers of this
 * process. A stalled machine delays both timers, and the shorter one still fires first.
 */
export async function beforeTimer<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result | 'late'> {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const result = work();
  const timer = setTimeout(() => resolve('late'), milliseconds);
  try {
    return await Promise.race([result, promise]);
  } finally {
    clearTimeout(timer);
  }
}
