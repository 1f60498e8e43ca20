import { type CredentialParts, credentialOf, secretOf } from '../../inject/testing/context.ts';
import type { PostgresCredential } from '../types.ts';

export { testContext, type TestContext } from '../../inject/testing/context.ts';

/** The real password of tests. It is never in a box. */
export const realPassword: string = secretOf('db');

/** A credential `db` for db.example.com:5432. Default: read-write, without TLS upstream. */
export function postgresCredential(
  injection: Partial<PostgresCredential['injection']> = {},
  parts: Partial<CredentialParts> = {},
): PostgresCredential {
  const made = { kind: 'postgres', mode: 'read-write', tls: 'disable', ...injection } as const;
  return {
    ...credentialOf({ name: 'db', hosts: ['db.example.com:5432'], ...parts, injection: made }),
    injection: made,
  };
}
