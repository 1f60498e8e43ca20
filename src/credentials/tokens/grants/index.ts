/** Gets access tokens for secrets: one function for each kind of credential, without state. */
import { basicValue } from '../../inject/basic.ts';
import type { InjectionOf } from '../../inject/types.ts';
import type { Secret, Unavailable } from '../../types.ts';
import {
  type TokenDenied,
  type Granted,
  isToken,
  parsedObject,
  readTokenAnswer,
  type TokenClient,
} from '../read-token-answer.ts';
import { rsaKey, signedJwt } from './signed-jwt.ts';

/** Kinds of credentials that need a fetched access token. */
export type GrantKind = 'github-app' | 'oauth2-client' | 'oauth2-refresh' | 'service-account';

export interface GrantParts<Kind extends GrantKind> {
  readonly injection: InjectionOf<Kind>;
  readonly secret: Secret;
  /** The refresh token with which the server has replaced that of the source. */
  readonly rotated: string | undefined;
  readonly client: TokenClient;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Gets an access token for a secret. Never rejects. */
type Grant<Kind extends GrantKind> = (parts: GrantParts<Kind>) => Promise<Granted | TokenDenied>;
type Grants = { readonly [Kind in GrantKind]: Grant<Kind> };

/** Client credentials: RFC 6749 §4.4. Several providers also require `audience`. A refresh token is not used. */
const clientCredentials: Grant<'oauth2-client'> = async ({
  injection: { tokenUrl, clientId, scope, audience },
  secret,
  client,
}) =>
  withoutRefresh(
    await requestToken(
      {
        url: tokenUrl,
        parameters: { grant_type: 'client_credentials', scope, audience },
        identity: { id: clientId, secret: secret.value },
      },
      client,
    ),
  );

/**
 * A refresh token of a public client: RFC 6749 §6. An answer that repeats the same refresh token counts as an answer
 * without one.
 */
const refreshToken: Grant<'oauth2-refresh'> = async ({
  injection: { tokenUrl, clientId, scope },
  secret,
  rotated,
  client,
}) => {
  const sent = rotated ?? secret.value;
  const outcome = await requestToken(
    {
      url: tokenUrl,
      parameters: { grant_type: 'refresh_token', refresh_token: sent, scope },
      identity: { id: clientId },
    },
    client,
  );
  return outcome.kind === 'granted' && outcome.refreshToken === sent ? withoutRefresh(outcome) : outcome;
};

/** Seconds. GitHub accepts at most ten minutes, and its clock may be behind the host's. */
const validity = 9 * 60;

const skew = 60;

/**
 * An installation token of a GitHub App, valid for an hour. Sources: GitHub Docs, "Generating a JSON Web Token for a
 * GitHub App" and "Create an installation access token for an app".
 */
const installationToken: Grant<'github-app'> = async ({
  injection: { appId, installationId, api },
  secret,
  client,
  now,
}) => {
  if (!/^\d{1,20}$/u.test(installationId))
    return unavailable('the ID of its installation is not a number', 'Correct `installation_id` in `inject`.');
  const key = rsaKey(secret.value);
  if (key.kind === 'unavailable') return key;
  const seconds = Math.floor(now / 1000);
  const jwt = signedJwt(key.key, {}, { iat: seconds - skew, exp: seconds + validity, iss: appId });
  const url = `${api.replace(/(?<!\/)\/+$/u, '')}/app/installations/${installationId}/access_tokens`;
  const answer = await client.fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${jwt}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
  });
  return answer.kind === 'unavailable' ? answer : readAnswer(answer.status, answer.body, now);
};

const remedies: Readonly<Record<number, string>> = {
  401: 'Check the key, `app_id` and the clock.',
  403: 'Check that the installation is not suspended.',
  404: 'Check `installation_id`: it has to belong to this App.',
};

/** Seconds, Google's maximum. */
const serviceAccountValidity = 3600;

/**
 * An access token for the JSON key of a Google service account. Sources: RFC 7523 §2.1; Google Identity, "Using OAuth
 * 2.0 for server to server applications".
 */
const serviceAccountToken: Grant<'service-account'> = async ({ injection: { scopes }, secret, client, now }) => {
  const account = accountOf(secret.value);
  if (account.kind === 'unavailable') return account;
  const key = rsaKey(account.privateKey);
  if (key.kind === 'unavailable') return key;
  const seconds = Math.floor(now / 1000);
  const claims = {
    iss: account.email,
    scope: scopes.join(' '),
    aud: account.tokenUri,
    iat: seconds,
    exp: seconds + serviceAccountValidity,
  };
  const assertion = signedJwt(key.key, account.keyId === undefined ? {} : { kid: account.keyId }, claims);
  return requestToken(
    { url: account.tokenUri, parameters: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion } },
    client,
  );
};

export const grants: Grants = {
  'github-app': installationToken,
  'oauth2-client': clientCredentials,
  'oauth2-refresh': refreshToken,
  'service-account': serviceAccountToken,
};

function withoutRefresh(outcome: Granted | TokenDenied): Granted | TokenDenied {
  if (outcome.kind !== 'granted') return outcome;
  const { refreshToken: _, ...rest } = outcome;
  return rest;
}

function readAnswer(status: number, body: string, now: number): Granted | Unavailable {
  if (status !== 201)
    return unavailable(
      `its API refused an installation token with status ${status}`,
      remedies[status] ?? 'Try again later.',
    );
  const parsed = parsedObject(body);
  const token = parsed?.['token'];
  if (!isToken(token)) return unavailable('its API answered without a token', 'Check `api` in `inject`.');
  const expires = Date.parse(String(parsed?.['expires_at']));
  return {
    kind: 'granted',
    accessToken: token,
    ...(Number.isNaN(expires) ? {} : { lifetime: Math.max(0, expires - now) }),
  };
}

function unavailable(message: string, remedy: string): Unavailable {
  return { kind: 'unavailable', message, remedy };
}

interface Account {
  readonly kind: 'account';
  readonly email: string;
  readonly privateKey: string;
  readonly keyId?: string;
  readonly tokenUri: string;
}

function accountOf(text: string): Account | Unavailable {
  const parsed = parsedObject(text);
  const {
    type,
    client_email: email,
    private_key: privateKey,
    private_key_id: keyId,
    token_uri: tokenUri,
  } = parsed ?? {};
  if (parsed === undefined || type !== 'service_account') return unusable('is not a JSON key of a service account');
  if (typeof email !== 'string' || typeof privateKey !== 'string')
    return unusable('has no client_email or no private_key');
  if (typeof tokenUri !== 'string' || !tokenUri.startsWith('https://'))
    return unusable('has no https URL as its token_uri');
  return { kind: 'account', email, privateKey, tokenUri, ...(typeof keyId === 'string' ? { keyId } : {}) };
}

function unusable(what: string): Unavailable {
  return {
    kind: 'unavailable',
    message: `its secret ${what}`,
    remedy: 'Store the JSON key as Google Cloud issued it.',
  };
}

interface ClientIdentity {
  readonly id: string;
  /** Absent: a public client. */
  readonly secret?: string;
}

interface TokenForm {
  readonly url: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** Absent: the parameters identify the client. */
  readonly identity?: ClientIdentity;
}

/**
 * Requests a token from an endpoint. A client with a secret sends it in `Authorization`, which every server has to
 * accept (RFC 6749 §2.3.1). If a server does not, it is asked once more, with the secret in the form.
 */
async function requestToken(
  { url, parameters, identity }: TokenForm,
  client: TokenClient,
): Promise<Granted | TokenDenied> {
  if (identity?.secret === undefined)
    return ask({ url, parameters: { ...parameters, client_id: identity?.id } }, {}, client);
  const answer = await ask(
    { url, parameters },
    { authorization: basicValue(formEncoded(identity.id), formEncoded(identity.secret)) },
    client,
  );
  if (answer.kind === 'granted' || answer.error !== 'invalid_client') return answer;
  return ask(
    { url, parameters: { ...parameters, client_id: identity.id, client_secret: identity.secret } },
    {},
    client,
  );
}

async function ask(
  { url, parameters }: TokenForm,
  headers: Readonly<Record<string, string>>,
  client: TokenClient,
): Promise<Granted | TokenDenied> {
  const form = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  );
  const answer = await client.fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: form.toString(),
  });
  return answer.kind === 'unavailable' ? answer : readTokenAnswer(answer);
}

/** Encodes both halves of `Basic` as in a form (RFC 6749, appendix B). */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
