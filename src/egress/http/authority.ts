import { normaliseHost } from '../../policy/index.ts';
import type { Destination } from '../types.ts';

/**
 * Whether `Host` or `:authority` names the destination. The port may be left out. Credentials, escapes and bytes that
 * are not ASCII never match: another parser could read another name in them.
 */
export function namesDestination(authority: string, { host, port }: Destination): boolean {
  const parts = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu.exec(authority);
  if (parts === null) return false;
  const [, name = '', said] = parts;
  return normaliseHost(name)?.text === host && (said === undefined || Number(said) === port);
}
