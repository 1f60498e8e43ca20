import type { Refused } from '../types.ts';

/**
 * An HTTP/2 stream that the other end reset. Holdfast passes the reset on with the same code, which clients understand.
 */
export class StreamReset extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`The stream was reset with code ${code}.`);
    this.code = code;
  }
}

/** The other end reset the stream before it answered. */
export interface ResetRefused extends Refused {
  /** An error code of RFC 9113 §7. */
  readonly reset: number;
}

export function resetOf(refused: Refused): number | undefined {
  return 'reset' in refused && typeof refused.reset === 'number' ? refused.reset : undefined;
}
