/** How access tokens are got for secrets: one function for each kind of credential, without state. */
import { installationToken } from './github-app.ts';
import { clientCredentials, refreshToken } from './oauth2.ts';
import { serviceAccountToken } from './service-account.ts';
import type { Grants } from './types.ts';

export type { GrantKind, GrantParts } from './types.ts';

export const grants: Grants = {
  'github-app': installationToken,
  'oauth2-client': clientCredentials,
  'oauth2-refresh': refreshToken,
  'service-account': serviceAccountToken,
};
