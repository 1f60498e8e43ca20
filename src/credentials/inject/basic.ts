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

/** In UTF-8, which RFC 7617 §2.1 lets servers ask for and clients send anyway. */
export function basicValue(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * Header fields that carry keys. If the session has a credential, someone else's key in any of them belongs to an
 * attacker's own account. Logging in with it would exfiltrate data to an allowed host.
 */
export const keyHeaders = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'private-token',
] as const;
