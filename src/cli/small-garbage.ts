import { setFlagsFromString } from 'node:v8';

/**
 * Milliseconds. By then a command runs, and no more code is loaded to start it. Any earlier, the changed flag would
 * make V8 reject cached code.
 */
const delay = 1_000;

/**
 * Keeps the space for short-lived objects at its first size for this process. Answers of two hundred conversations at a
 * time let it grow to 100 MB, and 1 MB is as fast. For our own processes only: a program that uses the library controls
 * its own heap.
 */
export function keepGarbageSmall(after = delay): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=1'), after).unref();
}
