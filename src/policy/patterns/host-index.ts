import type { Address } from '../normalise/address.ts';
import { type Host, type HostAndPort, normaliseHost } from '../normalise/host.ts';
import type { HostMatcher, HostPattern, PortRange } from './host-pattern.ts';

/** A host pattern in a set, with its order and its value. */
export interface HostEntry<Value, Subject> {
  readonly pattern: HostPattern;
  /** Lower is tried first. */
  readonly order: number;
  readonly value: Value;
  /** A further condition, e.g. a protocol or a method. */
  readonly accepts?: (subject: Subject) => boolean;
}

export interface HostIndex<Value, Subject> {
  /** Returns the entry with the lowest order for this host and port. */
  readonly first: (host: Host, port: number, subject: Subject) => HostEntry<Value, Subject> | undefined;
}

/** Indexes hosts. Names are looked up whole and by each suffix; networks are compared one by one. */
export function hostIndex<Value, Subject>(entries: readonly HostEntry<Value, Subject>[]): HostIndex<Value, Subject> {
  const tables = tablesOf(entries);
  return {
    first(host, port, subject) {
      const query = { port, subject };
      let best = firstOf(tables.any, query);
      best = earlier(best, firstIn(tables.exact, host.text, query));
      if (host.address !== undefined) return earlier(best, firstContaining(tables.networks, host.address, query));
      return tables.subdomains.size === 0 ? best : earlier(best, firstAbove(tables, host.text, query));
    },
  };
}

interface Tables<Entry> {
  readonly any: Entry[];
  readonly exact: Map<string, Entry[]>;
  readonly subdomains: Map<string, Entry[]>;
  /** Lengths of the names in `subdomains`. Only suffixes of these lengths are looked up. */
  readonly lengths: Set<number>;
  readonly networks: { readonly entry: Entry; readonly network: HostMatcher & { kind: 'network' } }[];
}

interface Query<Subject> {
  readonly port: number;
  readonly subject: Subject;
}

/** RFC 5735 and RFC 4291: all of 127.0.0.0/8 is loopback, and ::1. */
const loopback: readonly (HostMatcher & { kind: 'network' })[] = [
  { kind: 'network', address: { kind: 'v4', bits: 0x7f000000 }, prefix: 8 },
  { kind: 'network', address: { kind: 'v6', groups: [0, 0, 0, 0, 0, 0, 0, 1] }, prefix: 128 },
];

function tablesOf<Value, Subject>(entries: readonly HostEntry<Value, Subject>[]): Tables<HostEntry<Value, Subject>> {
  const tables: Tables<HostEntry<Value, Subject>> = {
    any: [],
    exact: new Map(),
    subdomains: new Map(),
    lengths: new Set(),
    networks: [],
  };
  for (const entry of entries) add(tables, entry);
  return tables;
}

function add<Value, Subject>(tables: Tables<HostEntry<Value, Subject>>, entry: HostEntry<Value, Subject>): void {
  const matcher = entry.pattern.host;
  switch (matcher.kind) {
    case 'any':
      tables.any.push(entry);
      return;
    case 'exact':
      append(tables.exact, matcher.text, entry);
      return;
    case 'localhost':
      append(tables.exact, 'localhost', entry);
      for (const network of loopback) tables.networks.push({ entry, network });
      return;
    case 'subdomains':
      append(tables.subdomains, matcher.suffix, entry);
      tables.lengths.add(matcher.suffix.length);
      return;
    case 'network':
      tables.networks.push({ entry, network: matcher });
  }
}

function append<Entry>(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

function firstIn<Value, Subject>(
  lists: ReadonlyMap<string, HostEntry<Value, Subject>[]>,
  key: string,
  query: Query<Subject>,
): HostEntry<Value, Subject> | undefined {
  const list = lists.get(key);
  return list === undefined ? undefined : firstOf(list, query);
}

function firstAbove<Value, Subject>(
  { subdomains, lengths }: Tables<HostEntry<Value, Subject>>,
  name: string,
  query: Query<Subject>,
): HostEntry<Value, Subject> | undefined {
  let best: HostEntry<Value, Subject> | undefined;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    if (lengths.has(name.length - dot - 1)) best = earlier(best, firstIn(subdomains, name.slice(dot + 1), query));
  }
  return best;
}

function firstOf<Value, Subject>(
  entries: readonly HostEntry<Value, Subject>[],
  query: Query<Subject>,
): HostEntry<Value, Subject> | undefined {
  let best: HostEntry<Value, Subject> | undefined;
  for (const entry of entries) {
    if (best !== undefined && best.order < entry.order) continue;
    if (accepts(entry, query)) best = entry;
  }
  return best;
}

function holds(ports: PortRange | undefined, port: number): boolean {
  return ports === undefined || (port >= ports.from && port <= ports.to);
}

function earlier<Value, Subject>(
  a: HostEntry<Value, Subject> | undefined,
  b: HostEntry<Value, Subject> | undefined,
): HostEntry<Value, Subject> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.order < a.order ? b : a;
}

function firstContaining<Value, Subject>(
  networks: Tables<HostEntry<Value, Subject>>['networks'],
  address: Address,
  query: Query<Subject>,
): HostEntry<Value, Subject> | undefined {
  let best: HostEntry<Value, Subject> | undefined;
  for (const { entry, network } of networks) {
    if (best !== undefined && best.order < entry.order) continue;
    if (contains(network, address) && accepts(entry, query)) best = entry;
  }
  return best;
}

function accepts<Value, Subject>(entry: HostEntry<Value, Subject>, { port, subject }: Query<Subject>): boolean {
  return holds(entry.pattern.ports, port) && (entry.accepts?.(subject) ?? true);
}

function contains(network: HostMatcher & { kind: 'network' }, address: Address): boolean {
  const base = network.address;
  if (base.kind === 'v4') return address.kind === 'v4' && sameBits(base.bits, address.bits, 32 - network.prefix);
  if (address.kind === 'v4') return false;
  return base.groups.every((group, index) => {
    const ignored = Math.min(16, Math.max(0, 16 * (index + 1) - network.prefix));
    return group >>> ignored === (address.groups[index] ?? 0) >>> ignored;
  });
}

/** A shift by 32 does not shift, so a prefix of 0 needs its own case. */
function sameBits(a: number, b: number, ignored: number): boolean {
  return ignored === 32 || a >>> ignored === b >>> ignored;
}

/** Whether some pattern matches a host and port. An invalid host matches none. */
export function matchesHostPattern(patterns: readonly HostPattern[], { host: text, port }: HostAndPort): boolean {
  const host = normaliseHost(text);
  return (
    host !== undefined &&
    hostIndex(patterns.map((pattern, order) => ({ pattern, order, value: true }))).first(host, port, undefined) !==
      undefined
  );
}
