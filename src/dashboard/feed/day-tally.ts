import type { Summary } from '../wire.ts';

export type Counts = Summary['day'];

/** When something was, and when that is looked at: in milliseconds since the epoch. */
export interface Moments {
  readonly at: number;
  readonly now: number;
}

/** Sums of the last 24 hours, by minute, so that they cost the same however much happens. */
export class DayTally {
  readonly #minutes = new Map<number, Counts>();

  add({ at, now }: Moments, counts: Partial<Counts>): void {
    const minute = minuteOf(at);
    if (minute > firstMinute(now)) this.#minutes.set(minute, together(this.#minutes.get(minute) ?? nothing, { ...nothing, ...counts }));
  }

  sums(now: number): Counts {
    return this.minutes(now).map(([, counts]) => counts).reduce(together, nothing);
  }

  /** Since the epoch, with what was in each, in no order. */
  minutes(now: number): readonly (readonly [minute: number, counts: Counts])[] {
    for (const minute of this.#minutes.keys()) if (minute <= firstMinute(now)) this.#minutes.delete(minute);
    return [...this.#minutes];
  }
}

const minuteLength = 60_000;
const minutesOfDay = 24 * 60;
export const nothing: Counts = { refusals: 0, connections: 0, sent: 0, received: 0 };

export function minuteOf(time: number): number {
  return Math.floor(time / minuteLength);
}

export function together(a: Counts, b: Counts): Counts {
  return { refusals: a.refusals + b.refusals, connections: a.connections + b.connections, sent: a.sent + b.sent, received: a.received + b.received };
}

/** The last one that is over. */
function firstMinute(now: number): number {
  return minuteOf(now) - minutesOfDay;
}
