/**
 * Opens that no rule was about a moment ago: a compiler opens the same headers a thousand times, and to find out where a path
 * leads takes three system calls. Only the offer to ask could be missed by it, never a refusal: those are the kernel's.
 */
export interface PassedLately {
  has(open: string): boolean;
  add(open: string): void;
  /** After anything that may have changed where paths lead. */
  forget(): void;
}

/** Milliseconds. */
const lifetime = 250;
const most = 4096;

export function passedLately(now: () => number = () => performance.now()): PassedLately {
  const until = new Map<string, number>();
  return {
    has: (open) => {
      const end = until.get(open);
      return end !== undefined && now() < end;
    },
    add: (open) => {
      if (until.size >= most) until.clear();
      until.set(open, now() + lifetime);
    },
    forget: () => until.clear(),
  };
}
