/**
 * What `work` gives, or `late` where a timer of so many milliseconds that begins with it fires first. For limits that
 * are timers of this process themselves: a machine that stands still holds up both, and the shorter one still fires
 * first.
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
