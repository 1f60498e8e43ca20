import { release } from 'node:os';

/** Compares the running kernel's version, or the one given, by its first two numbers. */
export function kernelAtLeast(major: number, minor: number, version = release()): boolean {
  const [have = 0, haveMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return have > major || (have === major && haveMinor >= minor);
}
