import type { Unavailable } from '../../types.ts';
import { parsedObject } from '../read-token-answer.ts';
import { rsaKey, signedJwt } from './signed-jwt.ts';
import { requestToken } from './token-request.ts';
import type { Grant } from './types.ts';

/** Seconds: the longest that Google takes. */
const validity = 3600;

/**
 * An access token for the JSON key of a Google service account. Sources: RFC 7523 §2.1; Google Identity, "Using OAuth 2.0
 * for server to server applications".
 */
export const serviceAccountToken: Grant<'service-account'> = async ({ injection: { scopes }, secret, client, now }) => {
  const account = accountOf(secret.value);
  if (account.kind === 'unavailable') return account;
  const key = rsaKey(account.privateKey);
  if (key.kind === 'unavailable') return key;
  const seconds = Math.floor(now / 1000);
  const claims = { iss: account.email, scope: scopes.join(' '), aud: account.tokenUri, iat: seconds, exp: seconds + validity };
  const assertion = signedJwt(key.key, account.keyId === undefined ? {} : { kid: account.keyId }, claims);
  return requestToken({ url: account.tokenUri, parameters: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion } }, client);
};

interface Account {
  readonly kind: 'account';
  readonly email: string;
  readonly privateKey: string;
  readonly keyId?: string;
  readonly tokenUri: string;
}

function accountOf(text: string): Account | Unavailable {
  const parsed = parsedObject(text);
  const { type, client_email: email, private_key: privateKey, private_key_id: keyId, token_uri: tokenUri } = parsed ?? {};
  if (parsed === undefined || type !== 'service_account') return unusable('is no JSON key of a service account');
  if (typeof email !== 'string' || typeof privateKey !== 'string') return unusable('has no client_email or no private_key');
  if (typeof tokenUri !== 'string' || !tokenUri.startsWith('https://')) return unusable('names no https URL as its token_uri');
  return { kind: 'account', email, privateKey, tokenUri, ...(typeof keyId === 'string' ? { keyId } : {}) };
}

function unusable(what: string): Unavailable {
  return { kind: 'unavailable', message: `its secret ${what}`, remedy: 'Store the JSON key as Google Cloud gave it.' };
}
