import { isIPv4 } from 'node:net';
import { normaliseHost } from '../../policy/index.ts';
import type { NameTable } from '../dns/index.ts';
import { isFakeAddress } from '../dns/index.ts';
import type { Destination, EgressRefusal } from '../types.ts';

export type Dialled =
  | { readonly kind: 'destination'; readonly destination: Destination }
  /** The resolver of the box, over TCP. */
  | { readonly kind: 'resolver' }
  | { readonly kind: 'unknown'; readonly destination: Destination; readonly refusal: EgressRefusal };

export interface DialledOptions {
  readonly names: NameTable;
  /** Address of the resolver in the box. */
  readonly resolver: string;
}

/** What a client meant that connected to an address in the box: the name that the address was handed out for, or the address itself. */
export function dialledBy(address: string, port: number, { names, resolver }: DialledOptions): Dialled {
  const host = spelling(address);
  if (host === resolver && port === 53) return { kind: 'resolver' };
  const [name] = names.namesOf(host);
  if (name !== undefined) return { kind: 'destination', destination: { host: name, port } };
  if (!isFakeAddress(host)) return { kind: 'destination', destination: { host, port } };
  const message = `${host} was handed out for no name in this session`;
  return { kind: 'unknown', destination: { host, port }, refusal: { code: 'special-address', message, remedy: 'look the name up again: its address is another one in each session' } };
}

const mapped = '::ffff:';

/** Listeners for both families show IPv4 as `::ffff:192.0.2.1`. */
function spelling(address: string): string {
  const v4 = address.startsWith(mapped) ? address.slice(mapped.length) : address;
  return isIPv4(v4) ? v4 : (normaliseHost(address)?.text ?? address);
}
