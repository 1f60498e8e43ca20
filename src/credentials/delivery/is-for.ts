import type { HostPattern } from '../../policy/index.ts';
import type { SecretField } from './fields.ts';
import type { Wanted } from './extract.ts';

/** Whether a field is one that a credential speaks of. A field that names no host is for every one. */
export function isFor({ host, port, user }: SecretField, wanted: Wanted): boolean {
  if (wanted.user !== undefined && user !== undefined && user !== wanted.user) return false;
  return host === undefined || wanted.hosts.some((pattern) => names(pattern, host) && (port === undefined || hasPort(pattern, port)));
}

function names({ host }: HostPattern, name: string): boolean {
  switch (host.kind) {
    case 'any':
      return true;
    case 'exact':
      return host.text === name.replace(/^\[(.*)\]$/u, '$1');
    case 'subdomains':
      return name.endsWith(`.${host.suffix}`);
    case 'localhost':
      return name === 'localhost' || name === '127.0.0.1' || name === '::1' || name === '[::1]';
    case 'network':
      return false;
  }
}

function hasPort({ ports }: HostPattern, port: number): boolean {
  return ports === undefined || (port >= ports.from && port <= ports.to);
}
