import type { InterceptedConnection } from '../../../egress/http/interceptor.ts';
import { type OutgoingRequest, field } from '../../../egress/http/message.ts';

export const connection: InterceptedConnection = { destination: { host: 'api.test', port: 443 }, scheme: 'https' };

/** A GET of `/`, reduced to the relevant parts. Fields by name. */
export function requestOf({
  headers = [],
  ...parts
}: Partial<OutgoingRequest> & { readonly headers?: readonly (readonly [string, string])[] } = {}): OutgoingRequest {
  return {
    method: 'GET',
    scheme: 'https',
    authority: 'api.test',
    target: '/',
    fields: headers.map(([name, value]) => field(name, value)),
    signal: new AbortController().signal,
    ...parts,
  };
}
