/** Milliseconds: who waits for a failure wants to see it. */
const patience = 10_000;

/** Takes away what is not needed for the failure, in ever smaller pieces, as long as there is time. */
export function minimised(bytes: Buffer, fails: (bytes: Buffer) => boolean): Buffer {
  const end = performance.now() + patience;
  let least = bytes;
  for (let size = Math.ceil(least.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length && performance.now() < end; ) {
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + size)]);
      if (fails(shorter)) least = shorter;
      else at += size;
    }
  }
  return least;
}
