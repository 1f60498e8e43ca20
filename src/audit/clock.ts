import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** A point in time on two clocks: the one that is shown and can be set, and the one that only goes on. */
export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly time: number;
  /** Milliseconds since the machine started. Suspension counts. */
  readonly uptime: number;
  /** Names the start of the machine; see random(4). */
  readonly boot: string;
}

export function thisMoment(): Moment {
  return { time: Date.now(), uptime: Math.round(uptime() * 1000), boot: bootId() };
}

/** A clock that is corrected slowly goes at most 0.05 % wrong; see adjtimex(2). Milliseconds. */
const tolerance = 2000;
const drift = 0.001;

/**
 * By how many milliseconds the clock was set between two moments, negative for backwards; 0 when it was not. Across a
 * restart only backwards can be told.
 */
export function clockJump(before: Moment, now: Moment): number {
  if (before.boot !== now.boot || now.uptime < before.uptime) return Math.min(0, now.time - before.time);
  const passed = now.uptime - before.uptime;
  const jump = now.time - before.time - passed;
  return Math.abs(jump) > tolerance + passed * drift ? jump : 0;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return 'unknown';
  }
}
