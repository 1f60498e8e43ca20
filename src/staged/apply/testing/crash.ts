import type { Pace } from '../scene.ts';

/** Simulates the end of the process: from that moment on, nothing more happens. */
export class Crash extends Error {}

/** Dies at the moment with that number and at all later ones. */
export function crashAt(moment: number): Pace & { readonly passed: () => number } {
  let passed = 0;
  const pace = (name: string): void => {
    if (passed++ >= moment) throw new Crash(name);
  };
  return Object.assign(pace, { passed: () => passed });
}

/** Dies at the first moment with that name. */
export function crashFrom(moment: string): Pace {
  let dead = false;
  return (name) => {
    dead ||= name === moment;
    if (dead) throw new Crash(name);
  };
}

/** Runs `work`. True if it crashed. */
export function crashes(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof Crash) return true;
    throw error;
  }
}
