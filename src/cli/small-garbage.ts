import { setFlagsFromString } from 'node:v8';

/**
 * Milliseconds: by then a command runs, and nothing more is loaded to start it. Another flag makes V8 refuse what was
 * compiled before.
 */
const delay = 1_000;

/**
 * Keeps the space for what is soon garbage as small as it begins, for this process: answers of two hundred
 * conversations at a time let it grow to 100 MB, where 1 MB does, in the same time. For processes of our own only: a
 * program that uses the library has a heap of its own.
 */
export function keepGarbageSmall(after = delay): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=1'), after).unref();
}
