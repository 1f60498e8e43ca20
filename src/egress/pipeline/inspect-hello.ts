import { isAddress } from '../is-address.ts';
import { alertRecord } from '../tls/alert.ts';
import type { Inspection } from '../splice/splice.ts';
import type { EgressRefusal } from '../types.ts';
import { recogniseTls } from './first-bytes.ts';

export interface HelloInspection {
  readonly inspect: (bytes: Buffer) => Inspection;
  /** Why it refused, if it did. */
  refusal(): EgressRefusal | undefined;
}

/**
 * Looks at the hello of a client whose TLS is not ended here: the name in it must be the name that was dialled, or a
 * host behind the same address would be reached that no rule allows (domain fronting). Other protocols pass.
 */
export function inspectHello(host: string): HelloInspection {
  let refusal: EgressRefusal | undefined;
  const isName = !isAddress(host);
  const inspect = (bytes: Buffer): Inspection => {
    const first = recogniseTls(bytes);
    if (first === undefined) return { kind: 'more' };
    const name = first.kind === 'tls' ? first.hello.serverName : undefined;
    if (first.kind !== 'malformed' && (!isName || name === undefined || name === host)) return { kind: 'pass' };
    refusal = first.kind === 'malformed' ? malformedHello(host, first.reason) : mismatch(host, name ?? '');
    return { kind: 'refuse', lastWords: alertRecord('unrecognizedName') };
  };
  return { inspect, refusal: () => refusal };
}

export function mismatch(host: string, name: string): EgressRefusal {
  return {
    code: 'authority-mismatch',
    message: `the connection goes to ${host}, but asks for ${name} over TLS`,
    remedy: 'ask for the host that the connection goes to',
  };
}

export function malformedHello(host: string, reason: string): EgressRefusal {
  return {
    code: 'malformed-request',
    message: `the connection to ${host} begins like TLS and is none: ${reason}`,
    remedy: 'use a TLS client that keeps to RFC 8446',
  };
}
