import type { InjectionOf } from '../../inject/types.ts';
import type { Secret } from '../../types.ts';
import type { Denied, Granted } from '../read-token-answer.ts';
import type { TokenClient } from '../types.ts';

/** Kinds of credentials that an access token is fetched for. */
export type GrantKind = 'github-app' | 'oauth2-client' | 'oauth2-refresh' | 'service-account';

export interface GrantParts<Kind extends GrantKind> {
  readonly injection: InjectionOf<Kind>;
  readonly secret: Secret;
  /** What the server gave in the place of the refresh token that the source has. */
  readonly rotated: string | undefined;
  readonly client: TokenClient;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Gets an access token for a secret. Never rejects. */
export type Grant<Kind extends GrantKind> = (parts: GrantParts<Kind>) => Promise<Granted | Denied>;
export type Grants = { readonly [Kind in GrantKind]: Grant<Kind> };
