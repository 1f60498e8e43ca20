import type { Destination, EgressRefusal, Refused } from '../../egress/index.ts';

/**
 * The secret cannot be put into a request. `why` follows "The credential NAME"; both are without anything of the
 * secret.
 */
export function unavailable(name: string, why: string, remedy: string): Refused {
  return refused({ code: 'credential-unavailable', message: `The credential "${name}" ${why}.`, remedy });
}

export function refused(refusal: EgressRefusal): Refused {
  return { kind: 'refused', refusal };
}

export function textOf({ host, port }: Destination): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
