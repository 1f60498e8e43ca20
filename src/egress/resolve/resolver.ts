import { normaliseHost } from '../../policy/index.ts';
import { isLocalhost } from '../loopback-names.ts';
import type { Refused, Resolution, Resolver } from '../types.ts';
import { createCache } from './cache.ts';
import { parseHosts } from './hosts-file.ts';
import { lookUp } from './look-up.ts';
import { abandoned, noHost, noSuchName, tooManyLookUps } from './refusals.ts';
import { type NameServer, parseResolvConf, type ResolverConfiguration } from './resolv-conf.ts';
import { createSharedWork } from './shared-work.ts';
import { watchFile } from './watched-file.ts';

export interface ResolverOptions {
  /** Default `/etc/hosts`. */
  readonly hostsFile?: string;
  /** Default `/etc/resolv.conf`. */
  readonly resolvConf?: string;
  /** Instead of those that the file names. */
  readonly servers?: readonly NameServer[];
  /** Milliseconds for one look-up, all servers and tries together. Default 5,000. */
  readonly budget?: number;
  /** Different names that may be looked up at once. Default 256. */
  readonly mostLookUps?: number;
  /** Milliseconds, never going back. Default `performance.now`. */
  now?(): number;
}

const cacheCapacity = 1024;

/**
 * Looks names up on the host, as its own programs would: hosts file, then the name servers of resolv.conf, both read again
 * when they change. What fails is `Refused`: `name-not-found`, `resolver-failed`, `malformed-host` or `overloaded`.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const { hostsFile = '/etc/hosts', budget = 5000, mostLookUps = 256, now = () => performance.now() } = options;
  const hosts = watchFile({ path: hostsFile, parse: parseHosts });
  const configuration = configurationOf(options);
  const cache = createCache<Resolution | Refused>({ capacity: cacheCapacity, now });
  let asked = configuration();

  const ask = async (name: string): Promise<Resolution | Refused> => {
    const current = asked;
    const { result, lifetime } = await lookUp(name, { configuration: current, budget });
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
      // Other servers, other networks: what the old ones said may not hold there.
      if (current !== asked) cache.clear();
      asked = current;
      return cache.get(name) ?? (await shared.join(name, signal));
    },
  };
}

function configurationOf({ resolvConf = '/etc/resolv.conf', servers }: ResolverOptions): () => ResolverConfiguration {
  const parse = (text: string): ResolverConfiguration => (servers === undefined ? parseResolvConf(text) : { ...parseResolvConf(text), servers });
  return watchFile({ path: resolvConf, parse });
}

/** Names that may never be asked for in public: RFC 6761 §6.3 and §6.4, RFC 7686 §2. */
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
