/** What was counted in the last 60 seconds. */
export interface Minute {
  add(amount: number, now: number): void;
  /** Milliseconds until the sum is below `most`, if nothing more is added; 0 where it is already. */
  untilBelow(most: number, now: number): number;
}

const span = 60_000;
/** What is counted within a tenth of a second is one sum, which leaves with the last of it: 600 sums at most, however many calls. */
const grain = 100;

interface Sum {
  readonly begin: number;
  last: number;
  amount: number;
}

/** Times never go back. */
export function openMinute(): Minute {
  const sums: Sum[] = [];
  const forget = (now: number): void => {
    const first = sums.findIndex(({ last }) => last + span > now);
    sums.splice(0, first < 0 ? sums.length : first);
  };
  return {
    add: (amount, now) => {
      forget(now);
      const newest = sums.at(-1);
      if (newest === undefined || now >= newest.begin + grain) sums.push({ begin: now, last: now, amount });
      else Object.assign(newest, { last: now, amount: newest.amount + amount });
    },
    untilBelow: (most, now) => {
      forget(now);
      let sum = sums.reduce((total, { amount }) => total + amount, 0);
      if (sum < most) return 0;
      for (const { last, amount } of sums) {
        sum -= amount;
        if (sum < most) return Math.max(1, Math.ceil(last + span - now));
      }
      // Also a limit that is no number, or 0.
      return span;
    },
  };
}
