import { withField } from '../../egress/http/message.ts';
import type { Injector } from './types.ts';

/** `Authorization: Basic …` with a fixed user, as for PyPI (`__token__`). */
export const basic: Injector<'basic'> = {
  places: () => [{ kind: 'header', key: 'authorization' }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { credential }) => ({
    ...request,
    fields: withField(request.fields, 'Authorization', basicValue(credential.injection.user, value)),
  }),
};

/** In UTF-8, which RFC 7617 §2.1 lets servers ask for and clients do anyway. */
export function basicValue(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * Header fields that keys travel in. Where the session has a credential, a key of someone else in any of them is an
 * account of an attacker's own: data can be exfiltrated to a host that is allowed by logging in there as oneself.
 */
export const keyHeaders = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'private-token',
] as const;
