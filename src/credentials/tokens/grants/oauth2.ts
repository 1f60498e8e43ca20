import type { Denied, Granted } from '../read-token-answer.ts';
import { requestToken } from './token-request.ts';
import type { Grant } from './types.ts';

/** Client credentials: RFC 6749 §4.4. `audience` is what several providers ask for besides. A refresh token is not used. */
export const clientCredentials: Grant<'oauth2-client'> = async ({ injection: { tokenUrl, clientId, scope, audience }, secret, client }) =>
  withoutRefresh(await requestToken({ url: tokenUrl, parameters: { grant_type: 'client_credentials', scope, audience }, identity: { id: clientId, secret: secret.value } }, client));

/** A refresh token of a public client: RFC 6749 §6. Where the answer holds the same one again, it is as if it held none. */
export const refreshToken: Grant<'oauth2-refresh'> = async ({ injection: { tokenUrl, clientId, scope }, secret, rotated, client }) => {
  const sent = rotated ?? secret.value;
  const outcome = await requestToken({ url: tokenUrl, parameters: { grant_type: 'refresh_token', refresh_token: sent, scope }, identity: { id: clientId } }, client);
  return outcome.kind === 'granted' && outcome.refreshToken === sent ? withoutRefresh(outcome) : outcome;
};

function withoutRefresh(outcome: Granted | Denied): Granted | Denied {
  if (outcome.kind !== 'granted') return outcome;
  const { refreshToken: _, ...rest } = outcome;
  return rest;
}
