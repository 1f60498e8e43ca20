import type { BrokerWays } from '../../egress/index.ts';
import type { Credential } from '../../policy/index.ts';
import type { CredentialContext } from '../types.ts';
import type { CancelKeys } from './login/cancel-keys.ts';

export type PostgresCredential = Credential & {
  readonly injection: Extract<Credential['injection'], { readonly kind: 'postgres' }>;
};

/** What serves one connection has this at hand. */
export interface Served {
  readonly credential: PostgresCredential;
  readonly context: CredentialContext;
  readonly keys: CancelKeys;
  readonly ways: BrokerWays;
}
