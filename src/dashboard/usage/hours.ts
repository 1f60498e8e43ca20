import type { UsageRange, UsageChart } from './types.ts';

export interface Hour<Item> {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly items: readonly Item[];
}

/** The newest items by hour, in whole hours, and at most about `most` of them. Items may arrive in any order. */
export class Hours<Item> {
  readonly #hours = new Map<number, Item[]>();
  readonly #most: number;
  #count = 0;
  /** Everything before this hour is left out. */
  #first = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  add(time: number, item: Item): void {
    const hour = Math.floor(time / hourLength);
    if (hour < this.#first) return;
    const items = this.#hours.get(hour) ?? [];
    items.push(item);
    this.#hours.set(hour, items);
    this.#count += 1;
    while (this.#count > this.#most && this.#hours.size > 1) this.#dropOldest();
  }

  /** Returns items from a whole hour on, in no order. Returns the same lists as before, which may have grown. */
  since(from: number): readonly Hour<Item>[] {
    return [...this.#hours]
      .filter(([hour]) => hour * hourLength >= from)
      .map(([hour, items]) => ({ start: hour * hourLength, items }));
  }

  /** All items of these hours. */
  itemsSince(from: number): readonly Item[] {
    return this.since(from).flatMap(({ items }) => items);
  }

  /** Whether items since then were left out. */
  isCutSince(from: number): boolean {
    return this.#first * hourLength > from;
  }

  #dropOldest(): void {
    const oldest = Math.min(...this.#hours.keys());
    this.#count -= this.#hours.get(oldest)?.length ?? 0;
    this.#hours.delete(oldest);
    this.#first = oldest + 1;
  }
}

/** A range of whole hours or days in UTC. Milliseconds since the epoch. */
interface Span {
  readonly step: UsageChart['step'];
  /** The start of each bucket. The last one contains `now`. */
  readonly starts: readonly number[];
}

export const hourLength = 3_600_000;
const dayLength = 24 * hourLength;

export function spanOf(range: UsageRange, now: number): Span {
  const today = now - (now % dayLength);
  switch (range) {
    case 'today':
      return { step: 'hour', starts: starts(today, now, hourLength) };
    case '7d':
      return { step: 'day', starts: starts(today - 6 * dayLength, now, dayLength) };
    case '30d':
      return { step: 'day', starts: starts(today - 29 * dayLength, now, dayLength) };
    case 'month':
      return { step: 'day', starts: starts(today - (new Date(now).getUTCDate() - 1) * dayLength, now, dayLength) };
  }
}

function starts(first: number, now: number, length: number): readonly number[] {
  return Array.from({ length: Math.floor((now - first) / length) + 1 }, (_, index) => first + index * length);
}
