import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answer, type Scene, scene, signingKey, start } from '../testing/scene.ts';

const { pem, publicPem } = signingKey();
const app = { kind: 'github-app', appId: '1234', installationId: '5678', api: 'https://api.github.test/v3/' } as const;
const account = { kind: 'service-account', scopes: ['https://scope.test/a', 'https://scope.test/b'] } as const;
const secret = (value: string) => ({ kind: 'secret', secret: { value, fields: {} } }) as const;
const keyFile = (more: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'box@project.test',
    private_key: pem,
    private_key_id: 'key-1',
    token_uri: 'https://oauth2.test/token',
    ...more,
  });
const seconds = start / 1000;

interface Jwt {
  readonly header: unknown;
  readonly claims: unknown;
  readonly isSigned: boolean;
}

function jwtOf(text = ''): Jwt {
  const [header = '', claims = '', signature = ''] = text.split('.');
  const parsed = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  return {
    header: parsed(header),
    claims: parsed(claims),
    isSigned: verify('sha256', Buffer.from(`${header}.${claims}`), publicPem, Buffer.from(signature, 'base64url')),
  };
}

describe('a GitHub App', () => {
  const given = answer(201, { token: 'EXAMPLE-installation', expires_at: '2030-01-01T01:00:00Z' });

  test('asks for an installation token with a signed assertion of who it is', async () => {
    const { access, asked } = scene(app, [given], secret(pem));
    expect(await access()).toBe('EXAMPLE-installation');
    expect(asked).toEqual([
      expect.objectContaining({
        url: 'https://api.github.test/v3/app/installations/5678/access_tokens',
        method: 'POST',
      }),
    ]);
    const [word, jwt] = asked[0]?.headers['authorization']?.split(' ') ?? [];
    expect(word).toBe('Bearer');
    expect(jwtOf(jwt)).toEqual({
      header: { alg: 'RS256', typ: 'JWT' },
      claims: { iat: seconds - 60, exp: seconds + 540, iss: '1234' },
      isSigned: true,
    });
  });

  test('its token is renewed a minute before GitHub says that it ends', async () => {
    const { access, asked, pass } = scene(app, [given], secret(pem));
    await access();
    pass(59 * 60_000 - 1);
    await access();
    expect(asked).toHaveLength(1);
    pass(1);
    await access();
    expect(asked).toHaveLength(2);
  });

  test('a key of PKCS #1, as GitHub gives them, is taken', async () => {
    const { access } = scene(
      app,
      [given],
      secret(createPrivateKey(pem).export({ type: 'pkcs1', format: 'pem' }).toString()),
    );
    expect(await access()).toBe('EXAMPLE-installation');
  });

  test.each([
    [
      answer(401, { message: 'EXAMPLE' }),
      'its API refused an installation token with status 401. Check the key, `app_id` and the clock.',
    ],
    [
      answer(404, ''),
      'its API refused an installation token with status 404. Check `installation_id`: it has to belong to this App.',
    ],
    [answer(500, ''), 'its API refused an installation token with status 500. Try again later.'],
    [answer(201, { token: 'a b' }), 'its API answered without a token. Check `api` in `inject`.'],
    [answer(201, 'no'), 'its API answered without a token. Check `api` in `inject`.'],
  ])('%j', async (reply, words) => {
    expect(await scene(app, [reply], secret(pem)).access()).toBe(`! The credential "main" cannot be used: ${words}`);
  });

  test('an installation that would lead elsewhere is not asked for', async () => {
    const { access, asked } = scene({ ...app, installationId: '1/../../user' }, [given], secret(pem));
    expect(await access()).toContain('the ID of its installation is not a number');
    expect(asked).toEqual([]);
  });
});

describe('a service account', () => {
  const given = { access_token: 'EXAMPLE-access', token_type: 'Bearer', expires_in: 3599 };

  test('asks for an access token with a signed assertion', async () => {
    const { access, asked } = scene(account, [given], secret(keyFile()));
    expect(await access()).toBe('EXAMPLE-access');
    expect(asked).toEqual([
      expect.objectContaining({
        url: 'https://oauth2.test/token',
        method: 'POST',
        form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: expect.any(String) },
      }),
    ]);
    const claims = {
      iss: 'box@project.test',
      scope: 'https://scope.test/a https://scope.test/b',
      aud: 'https://oauth2.test/token',
      iat: seconds,
      exp: seconds + 3600,
    };
    expect(jwtOf(asked[0]?.form['assertion'])).toEqual({
      header: { alg: 'RS256', typ: 'JWT', kid: 'key-1' },
      claims,
      isSigned: true,
    });
  });

  test.each([
    ['not JSON', 'EXAMPLE', 'is not a JSON key of a service account'],
    ['another kind', keyFile({ type: 'authorized_user' }), 'is not a JSON key of a service account'],
    ['no address', keyFile({ client_email: undefined }), 'has no client_email or no private_key'],
    ['no key', keyFile({ private_key: 1 }), 'has no client_email or no private_key'],
    [
      'a token URL in the clear',
      keyFile({ token_uri: 'http://oauth2.test/token' }),
      'has no https URL as its token_uri',
    ],
    ['no token URL', keyFile({ token_uri: undefined }), 'has no https URL as its token_uri'],
  ])('%s', async (_, text, why) => {
    const { access, asked }: Scene = scene(account, [given], secret(text));
    expect(await access()).toBe(
      `! The credential "main" cannot be used: its secret ${why}. Store the JSON key as Google Cloud issued it.`,
    );
    expect(asked).toEqual([]);
  });
});

describe('a key that signs nothing', () => {
  const short = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  const elliptic = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

  test.each([
    ['text', 'EXAMPLE-of-no-key', 'is not a private key in PEM, or has a passphrase'],
    ['a public key', publicPem, 'is not a private key in PEM, or has a passphrase'],
    [
      'one with a passphrase',
      createPrivateKey(pem)
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'EXAMPLE' })
        .toString(),
      'is not a private key in PEM, or has a passphrase',
    ],
    ['one of 1024 bits', short, 'has fewer than 2048 bits'],
    ['one of an elliptic curve', elliptic, 'is not an RSA key'],
  ])('%s is refused without anything of it', async (_, text, why) => {
    const { access, asked } = scene(app, [], secret(text));
    expect(await access()).toBe(
      `! The credential "main" cannot be used: its secret ${why}. Store the key as its provider issued it.`,
    );
    expect(asked).toEqual([]);
  });
});
