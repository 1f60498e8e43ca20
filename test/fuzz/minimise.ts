/** Milliseconds. A person waits for the failure. */
const patience = 10_000;

/** Removes parts that the failure does not need, in ever smaller pieces, within the time limit. */
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
