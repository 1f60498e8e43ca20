import { normaliseHost } from '../../policy/index.ts';
import { meansHost } from '../loopback-names.ts';
import type { Destination } from '../types.ts';
import type { Scheme } from './message.ts';

/**
 * Whether `Host` or `:authority` names the destination. The port may be left out. Credentials, escapes and bytes that
 * are not ASCII never match: another parser could read another name in them.
 */
export function namesDestination(authority: string, destination: Destination): boolean {
  const parts = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu.exec(authority);
  if (parts === null) return false;
  const [, name = '', said] = parts;
  const host = normaliseHost(name);
  return (
    host !== undefined &&
    meansHost(host.text, destination.host) &&
    (said === undefined || Number(said) === destination.port)
  );
}

/** `Host` or `:authority` of a destination. The port that the scheme has anyway is left out. */
export function authorityOf({ host, port }: Destination, scheme: Scheme): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === defaultPorts[scheme] ? name : `${name}:${port}`;
}

const defaultPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };
