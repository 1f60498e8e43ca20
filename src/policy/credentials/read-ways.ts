import type { Provider } from '../builtin/providers/index.ts';
import { knownHost } from '../kinds/known-pattern.ts';
import type { Injection } from './injection.ts';
import type { CredentialTable } from './schema.ts';
import { normaliseUrlPath } from '../normalise/url-path.ts';
import { hostCovers } from '../patterns/covers.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import { escapeWildcard } from '../patterns/wildcard.ts';
import { type Read, read, readParts, wrong } from './read.ts';
import { readHosts } from './read-binding.ts';
import { readInjection } from './read-injection.ts';

/** One way to use a secret. Each way becomes a separate credential. */
export interface CredentialWay {
  /** Suffix of the credential's name, if it is not the first of its table. */
  readonly part?: string;
  readonly hosts: readonly HostPattern[];
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  readonly injection: Injection;
  readonly use: 'phantom' | 'always';
}

/** Returns the ways of a table and its provider, at least one. */
export function readWays(
  table: CredentialTable,
  at: string,
  provider: Provider | undefined,
): Read<readonly CredentialWay[]> {
  const parts = readParts<Written>({
    hosts: table.hosts === undefined ? read(undefined) : readHosts(table.hosts, `${at}.hosts`),
    injection: table.inject === undefined ? read(undefined) : readInjection(table.inject, `${at}.inject`),
  });
  if (parts.kind === 'wrong') return parts;
  const ways =
    parts.value.injection === undefined
      ? provided(parts.value.hosts, provider)
      : written(parts.value.injection, parts.value.hosts, provider);
  return ways.length > 0 ? read(ways) : missing(parts.value, at, { table, provider });
}

interface Written {
  readonly hosts: readonly HostPattern[] | undefined;
  readonly injection: Injection | undefined;
}

/** If the table says how the secret is sent, that is one way. A login that the box must see adds a second one. */
function written(
  injection: Injection,
  hosts: readonly HostPattern[] | undefined,
  provider: Provider | undefined,
): readonly CredentialWay[] {
  const places = hosts ?? provider?.ways[0].hosts.map(knownHost) ?? [];
  if (places.length === 0) return [];
  return [{ hosts: places, injection, use: 'phantom' }, ...loginWay(injection)];
}

/** The answer of the token URL holds the tokens, so its requests must be intercepted. */
function loginWay(injection: Injection): readonly CredentialWay[] {
  if (injection.kind !== 'oauth2-login') return [];
  const [, host = '', path = ''] = /^https:\/\/([^/]+)(.*)$/.exec(injection.tokenUrl) ?? [];
  return [
    {
      part: 'login',
      hosts: [knownHost(host)],
      methods: ['POST'],
      paths: [escapeWildcard(normaliseUrlPath(path))],
      injection,
      use: 'phantom',
    },
  ];
}

/**
 * A host of the table that one of the provider's ways covers belongs to that way alone. Other hosts belong to all ways.
 */
function provided(hosts: readonly HostPattern[] | undefined, provider: Provider | undefined): readonly CredentialWay[] {
  if (provider === undefined) return [];
  const known = provider.ways.map((way) => way.hosts.map(knownHost));
  const stray = hosts?.filter((host) => !known.flat().some((own) => hostCovers(own, host))) ?? [];
  return provider.ways.flatMap((way, index): readonly CredentialWay[] => {
    const own = known[index] ?? [];
    const places =
      hosts === undefined ? own : [...hosts.filter((host) => own.some((each) => hostCovers(each, host))), ...stray];
    if (places.length === 0) return [];
    const { methods, paths, injection, use } = way;
    return [
      {
        ...('name' in way ? { part: way.name } : {}),
        hosts: places,
        ...(methods === undefined ? {} : { methods }),
        ...(paths === undefined ? {} : { paths }),
        injection,
        use,
      },
    ];
  });
}

interface Asked {
  readonly table: CredentialTable;
  readonly provider: Provider | undefined;
}

function missing({ hosts, injection }: Written, at: string, { table, provider }: Asked): Read<never> {
  const example = provider?.ways[0].hostExample;
  if (example !== undefined)
    return wrong(
      at,
      `"${table.name}" has no hosts: those of ${provider?.title ?? 'its provider'} are regional or belong to one customer`,
      `name yours: hosts = ["${example}"]`,
    );
  const lacks = [
    ...(hosts === undefined ? ['hosts = ["api.example.com"]'] : []),
    ...(injection === undefined ? ['inject = { kind = "bearer" }'] : []),
  ];
  return wrong(
    at,
    `"${table.name}" does not say ${hosts === undefined ? 'where its secret is valid' : 'how its secret is put into requests'}`,
    `add ${lacks.join(' and ')}, or provider = "…" (docs/providers.md)`,
  );
}
