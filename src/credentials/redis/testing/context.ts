import { type CredentialParts, credentialOf, secretOf } from '../../inject/testing/context.ts';
import type { RedisCredential } from '../broker.ts';

export { testContext, type TestContext } from '../../inject/testing/context.ts';

/** The real password of tests. It is never in a box. */
export const realPassword: string = secretOf('cache');

/** A credential `cache` for cache.example.com:6379. Default: read-write, without TLS upstream. */
export function redisCredential(
  injection: Partial<RedisCredential['injection']> = {},
  parts: Partial<CredentialParts> = {},
): RedisCredential {
  const made = { kind: 'redis', mode: 'read-write', tls: 'disable', ...injection } as const;
  return {
    ...credentialOf({ name: 'cache', hosts: ['cache.example.com:6379'], ...parts, injection: made }),
    injection: made,
  };
}
