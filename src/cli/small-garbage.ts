import { setFlagsFromString } from 'node:v8';

/**
 * Milliseconds. By then a command runs, and nothing more is loaded to start it. Earlier, another flag would make V8
 * refuse cached code.
 */
const delay = 1_000;

/**
 * Keeps the space for short-lived objects at its first size for this process. Answers of two hundred conversations at a
 * time let it grow to 100 MB; 1 MB is as fast. For our own processes only: a program that uses the library has a heap
 * of its own.
 */
export function keepGarbageSmall(after = delay): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=1'), after).unref();
}
