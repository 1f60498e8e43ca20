import { isIP } from 'node:net';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { isLocalhost } from '../loopback-names.ts';
import type { Refused, Resolution, Resolver } from '../types.ts';
import { type NameServer, parseResolvConf, type ResolverConfiguration } from './ask-udp.ts';
import { abandoned, lookUpName, noHost, noSuchName, tooManyLookUps, watchFile } from './look-up.ts';

export interface ResolverOptions {
  /** Default: `/etc/hosts`. */
  readonly hostsFile?: string;
  /** Default: `/etc/resolv.conf`. */
  readonly resolvConf?: string;
  /** Replaces the servers of the file. */
  readonly servers?: readonly NameServer[];
  /** Milliseconds for one look-up, with all servers and tries. Default: 5,000. */
  readonly budget?: number;
  /** Most different names that are looked up at once. Default: 256. */
  readonly mostLookUps?: number;
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  now?(): number;
}

const cacheCapacity = 1024;

/**
 * Looks names up on the host, as the host's own programs do. It uses the hosts file, then the name servers of
 * resolv.conf, and rereads both when they change. Failures are `Refused`: `name-not-found`, `resolver-failed`,
 * `malformed-host` or `overloaded`.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const { hostsFile = '/etc/hosts', budget = 5000, mostLookUps = 256, now = () => performance.now() } = options;
  const hosts = watchFile({ path: hostsFile, parse: parseHosts });
  const configuration = configurationOf(options);
  const cache = createCache<Resolution | Refused>({ capacity: cacheCapacity, now });
  let asked = configuration();

  const ask = async (name: string): Promise<Resolution | Refused> => {
    const current = asked;
    const { result, lifetime } = await lookUpName(name, { configuration: current, budget });
    if (current === asked) cache.set(name, result, lifetime);
    return result;
  };
  const shared = createSharedWork({ most: mostLookUps, start: ask, overloaded: tooManyLookUps, abandoned });

  return {
    resolve: async (text, signal) => {
      const host = normaliseHost(text);
      if (host === undefined) return noHost();
      if (host.address !== undefined) return resolved([host.text]);
      const name = host.text;
      const known = withoutServers(name) ?? resolvedBy(hosts().get(name));
      if (known !== undefined) return known;
      const current = configuration();
      // Other servers mean another network, where the old answers may be wrong.
      if (current !== asked) cache.clear();
      asked = current;
      return cache.get(name) ?? (await shared.join(name, signal));
    },
  };
}

function configurationOf({ resolvConf = '/etc/resolv.conf', servers }: ResolverOptions): () => ResolverConfiguration {
  const parse = (text: string): ResolverConfiguration =>
    servers === undefined ? parseResolvConf(text) : { ...parseResolvConf(text), servers };
  return watchFile({ path: resolvConf, parse });
}

/** Names that must not be looked up in public: RFC 6761 §6.3 and §6.4, RFC 7686 §2. */
function withoutServers(name: string): Resolution | Refused | undefined {
  if (isLocalhost(name)) return resolved(['127.0.0.1', '::1']);
  return /(?:^|\.)(?:invalid|onion)$/.test(name) ? noSuchName(name) : undefined;
}

function resolvedBy(addresses: readonly string[] | undefined): Resolution | undefined {
  return addresses === undefined ? undefined : resolved(addresses.slice(0, 16));
}

function resolved(addresses: readonly string[]): Resolution {
  return { kind: 'resolved', aliases: [], addresses };
}

/** Addresses by name, in the order of the file (hosts(5)). */
type Hosts = ReadonlyMap<string, readonly string[]>;

/** Skips invalid lines, as every reader of the file does. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const canonical = isIP(address) === 0 ? undefined : normaliseHost(address)?.text;
    if (canonical !== undefined) names.forEach((name) => addEntry(hosts, name, canonical));
  }
  return hosts;
}

function addEntry(hosts: Map<string, string[]>, text: string, address: string): void {
  const host = normaliseHost(text);
  if (host === undefined || host.address !== undefined) return;
  const addresses = hosts.get(host.text);
  if (addresses === undefined) hosts.set(host.text, [address]);
  else if (!addresses.includes(address)) addresses.push(address);
}

interface Cache<Value> {
  get(key: string): Value | undefined;
  /** `lifetime` is in milliseconds. With 0 or less, nothing is kept. */
  set(key: string, value: Value, lifetime: number): void;
  clear(): void;
}

interface CacheOptions {
  /** Most entries. Beyond this, the oldest is dropped. */
  readonly capacity: number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

export function createCache<Value>({ capacity, now }: CacheOptions): Cache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly expires: number }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined && entry.expires > now()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, lifetime) => {
      entries.delete(key);
      if (lifetime <= 0) return;
      entries.set(key, { value, expires: now() + lifetime });
      const [oldest] = entries.keys();
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
    },
    clear: () => entries.clear(),
  };
}

interface SharedWorkOptions<Value> {
  /** Most different keys that are worked on at once. */
  readonly most: number;
  /** Never rejects. */
  start(key: string): Promise<Value>;
  /** Returns the value for a key that finds no room. */
  overloaded(key: string): Value;
  /** Returns the value for a caller that stopped waiting. */
  abandoned(key: string): Value;
}

interface SharedWork<Value> {
  /** Never rejects. If one caller gives up, the work goes on for the others. */
  join(key: string, signal?: AbortSignal): Promise<Value>;
}

/** Shares work among callers that want the same result at the same time. */
export function createSharedWork<Value>({
  most,
  start,
  overloaded,
  abandoned,
}: SharedWorkOptions<Value>): SharedWork<Value> {
  const running = new Map<string, Promise<Value>>();
  const begin = (key: string): Promise<Value> => {
    const work = start(key).finally(() => running.delete(key));
    running.set(key, work);
    return work;
  };
  return {
    join: async (key, signal) => {
      if (signal?.aborted) return abandoned(key);
      const known = running.get(key);
      if (known === undefined && running.size >= most) return overloaded(key);
      const work = known ?? begin(key);
      return signal === undefined ? await work : await unlessAborted(work, signal, () => abandoned(key));
    },
  };
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal, abandoned: () => Value): Promise<Value> {
  return await new Promise<Value>((resolve, reject) => {
    const onAbort = (): void => resolve(abandoned());
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
