import { escapeHidden } from '../../text/index.ts';
import type { HostSeries, NetworkChart, Summary } from '../wire.ts';

type Minutes = ReturnType<DayTally['minutes']>;

/**
 * Bytes by minute and host, of the last day. A box may name any number of hosts, so those beyond a limit are counted
 * together.
 */
export class NetworkTally {
  readonly #hosts = new Map<string, DayTally>();

  add(at: Moments, host: string, counts: Counts): void {
    const name = this.#hosts.has(host) || this.#hosts.size < mostHosts ? host : others;
    const tally = this.#hosts.get(name) ?? new DayTally();
    this.#hosts.set(name, tally);
    tally.add(at, counts);
  }

  /** Covers the time from the first traffic, but at most a day, until now, in at most `buckets`. */
  chart(now: number, buckets = 96): NetworkChart {
    const hosts = [...this.#hosts]
      .map(([host, tally]) => [host, tally.minutes(now)] as const)
      .filter(([, minutes]) => minutes.length > 0);
    const last = minuteOf(now);
    const first = hosts
      .flatMap(([, minutes]) => minutes)
      .reduce((least, [minute]) => Math.min(least, minute), last - shortest);
    const step = Math.max(1, Math.ceil((last - first + 1) / buckets));
    const length = Math.ceil((last - first + 1) / step);
    const times = Array.from({ length }, (_, index) => (first + index * step) * 60);
    const series = hosts
      .map(([host, minutes]) => seriesOf(host, minutes, { first, step, length }))
      .toSorted((a, b) => total(b) - total(a) || b.connections - a.connections);
    return { times, hosts: withOthers(series) };
  }
}

const mostHosts = 500;
const shownHosts = 6;
const others = 'all others';
const shortest = 30;

function seriesOf(
  host: string,
  minutes: Minutes,
  { first, step, length }: { readonly first: number; readonly step: number; readonly length: number },
): HostSeries {
  const cells = Array.from({ length }, () => 0);
  for (const [minute, { sent, received }] of minutes) {
    const index = Math.floor((minute - first) / step);
    if (index < length) cells[index] = (cells[index] ?? 0) + sent + received;
  }
  return {
    host: shownOnPage(host, 120),
    ...minutes.map(([, counts]) => counts).reduce(together, nothing),
    bytes: cells,
  };
}

function total({ sent, received }: HostSeries): number {
  return sent + received;
}

function withOthers(series: readonly HostSeries[]): readonly HostSeries[] {
  const named = series.filter(({ host }) => host !== others);
  const rest = [...named.slice(shownHosts), ...series.filter(({ host }) => host === others)];
  const [first] = rest;
  return first === undefined
    ? named
    : [
        ...named.slice(0, shownHosts),
        rest.reduce(joined, { host: others, ...nothing, bytes: first.bytes.map(() => 0) }),
      ];
}

function joined(a: HostSeries, b: HostSeries): HostSeries {
  return { host: others, ...together(a, b), bytes: a.bytes.map((amount, index) => amount + (b.bytes[index] ?? 0)) };
}

type Counts = Summary['day'];

/** The time of an event, and the time of the view, in milliseconds since the epoch. */
interface Moments {
  readonly at: number;
  readonly now: number;
}

/** Sums of the last 24 hours by minute, so that the cost does not depend on the number of events. */
export class DayTally {
  readonly #minutes = new Map<number, Counts>();

  add({ at, now }: Moments, counts: Partial<Counts>): void {
    const minute = minuteOf(at);
    if (minute > firstMinute(now))
      this.#minutes.set(minute, together(this.#minutes.get(minute) ?? nothing, { ...nothing, ...counts }));
  }

  sums(now: number): Counts {
    return this.minutes(now)
      .map(([, counts]) => counts)
      .reduce(together, nothing);
  }

  /** Minutes since the epoch with their counts, in no order. */
  minutes(now: number): readonly (readonly [minute: number, counts: Counts])[] {
    for (const minute of this.#minutes.keys()) if (minute <= firstMinute(now)) this.#minutes.delete(minute);
    return [...this.#minutes];
  }
}

const minuteLength = 60_000;
const minutesOfDay = 24 * 60;
const nothing: Counts = { refusals: 0, connections: 0, sent: 0, received: 0 };

function minuteOf(time: number): number {
  return Math.floor(time / minuteLength);
}

function together(a: Counts, b: Counts): Counts {
  return {
    refusals: a.refusals + b.refusals,
    connections: a.connections + b.connections,
    sent: a.sent + b.sent,
    received: a.received + b.received,
  };
}

/** Returns the last minute that is too old. */
function firstMinute(now: number): number {
  return minuteOf(now) - minutesOfDay;
}

/**
 * Returns a text for the page: on one line, without hidden characters, and short enough to read. Other values become
 * JSON.
 */
export function shownOnPage(value: unknown, longest = 400): string {
  return cut(value, longest, 'nothing');
}

/** Like `shownOnPage`, but keeps line breaks. */
export function shownLines(value: unknown, longest = 4000): string {
  return cut(value, longest, 'lines');
}

/** Returns an event as indented JSON, and cuts each long text. */
export function shownJson(value: unknown): string {
  return shownLines(
    JSON.stringify(
      value,
      (_, part: unknown) => (typeof part === 'string' ? shownOnPage(part, longestField) : part),
      2,
    ) ?? '',
    longestDetail,
  );
}

const longestField = 2000;
const longestDetail = 64_000;

function cut(value: unknown, longest: number, keep: 'lines' | 'nothing'): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= longest) return escapeHidden(text, keep);
  return `${escapeHidden(text.slice(0, longest), keep)}… (${text.length - longest} more characters)`;
}

/**
 * Drops the oldest items of a map when it has twice as many as are kept. That is rare, so it costs little for any
 * number of items.
 */
export function newestOf<Value extends { readonly seq: number }>(map: Map<string, Value>, kept: number): void {
  if (map.size <= 2 * kept) return;
  const oldest = [...map].toSorted(([, a], [, b]) => b.seq - a.seq).slice(kept);
  for (const [key] of oldest) map.delete(key);
}
