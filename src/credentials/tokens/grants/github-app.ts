import type { Unavailable } from '../../types.ts';
import { type Granted, isToken, parsedObject } from '../read-token-answer.ts';
import { rsaKey, signedJwt } from './signed-jwt.ts';
import type { Grant } from './types.ts';

/** Seconds. GitHub takes ten minutes at most, and its clock may be behind ours. */
const validity = 9 * 60;
const skew = 60;

/**
 * An installation token of a GitHub App, good for an hour. Sources: GitHub Docs, "Generating a JSON Web Token for a GitHub
 * App" and "Create an installation access token for an app".
 */
export const installationToken: Grant<'github-app'> = async ({ injection: { appId, installationId, api }, secret, client, now }) => {
  if (!/^\d{1,20}$/u.test(installationId)) return unavailable('the ID of its installation is no number', 'Correct `installation_id` in `inject`.');
  const key = rsaKey(secret.value);
  if (key.kind === 'unavailable') return key;
  const seconds = Math.floor(now / 1000);
  const jwt = signedJwt(key.key, {}, { iat: seconds - skew, exp: seconds + validity, iss: appId });
  const url = `${api.replace(/\/+$/u, '')}/app/installations/${installationId}/access_tokens`;
  const answer = await client.fetch(url, { method: 'POST', headers: { authorization: `Bearer ${jwt}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } });
  return answer.kind === 'unavailable' ? answer : readAnswer(answer.status, answer.body, now);
};

function readAnswer(status: number, body: string, now: number): Granted | Unavailable {
  if (status !== 201) return unavailable(`its API refused an installation token with status ${status}`, remedies[status] ?? 'Try again later.');
  const parsed = parsedObject(body);
  const token = parsed?.['token'];
  if (!isToken(token)) return unavailable('its API answered without a token', 'Check `api` in `inject`.');
  const expires = Date.parse(String(parsed?.['expires_at']));
  return { kind: 'granted', accessToken: token, ...(Number.isNaN(expires) ? {} : { lifetime: Math.max(0, expires - now) }) };
}

const remedies: Readonly<Record<number, string>> = {
  401: 'Check the key, `app_id`, and whether the clock is right.',
  403: 'See whether the installation is suspended.',
  404: 'Check `installation_id`: it is of this App only.',
};

function unavailable(message: string, remedy: string): Unavailable {
  return { kind: 'unavailable', message, remedy };
}
