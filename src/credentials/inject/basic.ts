import { withField } from '../../egress/http/message.ts';
import type { Injector } from './types.ts';

/** `Authorization: Basic …` with a fixed user, such as `__token__` for PyPI. */
export const basic: Injector<'basic'> = {
  places: () => [{ kind: 'header', key: 'authorization' }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { credential }) => ({
    ...request,
    fields: withField(request.fields, 'Authorization', basicValue(credential.injection.user, value)),
  }),
};

/** Encodes in UTF-8, which RFC 7617 §2.1 lets servers request and which clients send anyway. */
export function basicValue(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * Header fields that carry keys. If the session has a credential for a host, a different key in one of these fields may
 * belong to an attacker's account. A login with that key would exfiltrate data through an allowed host.
 */
export const keyHeaders = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'private-token',
] as const;
