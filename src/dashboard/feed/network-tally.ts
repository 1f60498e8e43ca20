import type { HostSeries, NetworkChart } from '../wire.ts';
import { DayTally, minuteOf, nothing, together, type Counts, type Moments } from './day-tally.ts';
import { shown } from './shown.ts';

type Minutes = ReturnType<DayTally['minutes']>;

/** Bytes by minute and host, of the last day. A box may name any number of hosts: those that come last are counted together. */
export class NetworkTally {
  readonly #hosts = new Map<string, DayTally>();

  add(at: Moments, host: string, counts: Counts): void {
    const name = this.#hosts.has(host) || this.#hosts.size < mostHosts ? host : others;
    const tally = this.#hosts.get(name) ?? new DayTally();
    this.#hosts.set(name, tally);
    tally.add(at, counts);
  }

  /** From the first traffic, or a day ago if that is later, until now, in at most `buckets`. */
  chart(now: number, buckets = 96): NetworkChart {
    const hosts = [...this.#hosts].map(([host, tally]) => [host, tally.minutes(now)] as const).filter(([, minutes]) => minutes.length > 0);
    const last = minuteOf(now);
    const first = hosts.flatMap(([, minutes]) => minutes).reduce((least, [minute]) => Math.min(least, minute), last - shortest);
    const step = Math.max(1, Math.ceil((last - first + 1) / buckets));
    const length = Math.ceil((last - first + 1) / step);
    const times = Array.from({ length }, (_, index) => (first + index * step) * 60);
    const series = hosts.map(([host, minutes]) => seriesOf(host, minutes, { first, step, length })).toSorted((a, b) => total(b) - total(a) || b.connections - a.connections);
    return { times, hosts: withOthers(series) };
  }
}

const mostHosts = 500;
const shownHosts = 6;
const others = 'all others';
const shortest = 30;

function seriesOf(host: string, minutes: Minutes, { first, step, length }: { readonly first: number; readonly step: number; readonly length: number }): HostSeries {
  const cells = Array.from({ length }, () => 0);
  for (const [minute, { sent, received }] of minutes) {
    const index = Math.floor((minute - first) / step);
    if (index < length) cells[index] = (cells[index] ?? 0) + sent + received;
  }
  return { host: shown(host, 120), ...minutes.map(([, counts]) => counts).reduce(together, nothing), bytes: cells };
}

function total({ sent, received }: HostSeries): number {
  return sent + received;
}

function withOthers(series: readonly HostSeries[]): readonly HostSeries[] {
  const named = series.filter(({ host }) => host !== others);
  const rest = [...named.slice(shownHosts), ...series.filter(({ host }) => host === others)];
  const [first] = rest;
  return first === undefined ? named : [...named.slice(0, shownHosts), rest.reduce(joined, { host: others, ...nothing, bytes: first.bytes.map(() => 0) })];
}

function joined(a: HostSeries, b: HostSeries): HostSeries {
  return { host: others, ...together(a, b), bytes: a.bytes.map((amount, index) => amount + (b.bytes[index] ?? 0)) };
}
