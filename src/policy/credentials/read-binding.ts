import type { CredentialTable } from './schema.ts';
import { nearest } from '../document/suggest.ts';
import { normaliseUrlPath } from '../normalise/url-path.ts';
import { type HostPattern, parseHostPattern } from '../patterns/host-pattern.ts';
import { hasWildcard } from '../patterns/wildcard.ts';
import { type Read, read, readAll, wrong } from './read.ts';

/** Reads the hosts of a table. The secret goes to all of them, so each must have an owner. */
export function readHosts(hosts: readonly string[], at: string): Read<readonly HostPattern[]> {
  return readAll(hosts.map((host, index) => readHost(host, `${at}[${index}]`)));
}

function readHost(source: string, at: string): Read<HostPattern> {
  const pattern = parseHostPattern(source);
  if (pattern.kind === 'problem') return wrong(at, pattern.message, pattern.remedy);
  switch (pattern.host.kind) {
    case 'any':
      return wrong(at, 'a credential for "any" host would go to every host', 'name the hosts that it is for');
    case 'network':
      return wrong(
        at,
        `"${source}" is a network, and a secret is for hosts that are known`,
        'write the name or the address of each host',
      );
    case 'subdomains':
      return pattern.host.suffix.includes('.')
        ? read(pattern)
        : wrong(
            at,
            `"${source}" covers hosts of anyone`,
            'name a domain that is yours or your provider\'s: "*.example.com"',
          );
    case 'exact':
    case 'localhost':
      return read(pattern);
  }
}

/**
 * Source: IANA, Hypertext Transfer Protocol (HTTP) Method Registry. Leaves out methods that no service takes keys for.
 */
const knownMethods: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'REPORT',
  'SEARCH',
  'MERGE',
  'LINK',
  'UNLINK',
  'PURGE',
];

/** Returns methods in upper case. Undefined if the table leaves them open. */
export function readMethods({ methods }: CredentialTable, at: string): Read<readonly string[] | undefined> {
  if (methods === undefined) return read(undefined);
  return readAll(
    methods.map((method, index) => {
      if (knownMethods.includes(method.toUpperCase())) return read(method.toUpperCase());
      const meant = nearest(
        method,
        knownMethods.map((known) => known.toLowerCase()),
      );
      return wrong(
        `${at}.methods[${index}]`,
        'an unknown HTTP method',
        meant === undefined
          ? 'write GET, POST …, or leave methods out to mean all of them'
          : `did you mean "${meant.toUpperCase()}"?`,
      );
    }),
  );
}

export function readPaths({ paths }: CredentialTable, at: string): Read<readonly string[] | undefined> {
  if (paths === undefined) return read(undefined);
  return readAll(
    paths.map((path, index) => {
      if (/\p{Cc}/u.test(path) || !/^[/*]/.test(path))
        return wrong(
          `${at}.paths[${index}]`,
          'a path that can never match: paths of URLs start with a slash',
          'write it as "/v1/*"',
        );
      const normal = hasWildcard(path) ? path : normaliseUrlPath(path);
      return normal === path
        ? read(path)
        : wrong(
            `${at}.paths[${index}]`,
            'a path that can never match: it is compared without dot segments, doubled slashes and needless escapes',
            `write "${normal}"`,
          );
    }),
  );
}

/** Adds this port to hosts without one. */
export function onPort(pattern: HostPattern, port: number): HostPattern {
  return pattern.ports === undefined ? { ...pattern, ports: { from: port, to: port } } : pattern;
}
