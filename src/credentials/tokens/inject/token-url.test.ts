import { describe, expect, test } from 'vitest';
import { textBody } from '../../../egress/http/interceptor.ts';
import { field, type IncomingResponse } from '../../../egress/http/message.ts';
import { credentialOf, secretOf, testContext } from '../../inject/testing/context.ts';
import { connection, requestOf } from '../../inject/testing/requests.ts';
import { credentialInterceptor } from '../../inject/interceptor.ts';
import { answer, scripted } from '../testing/scene.ts';

const token = 'REALaccess7Hq2mVx9Lk4TzB6w';
const tokens = JSON.stringify({ access_token: token, token_type: 'bearer' });
const form = 'application/x-www-form-urlencoded';

function response(text: string, type = 'application/json'): IncomingResponse {
  return { kind: 'response', status: 200, reason: '', fields: [field('Content-Type', type)], body: textBody(text) };
}

async function textOf(got: Awaited<ReturnType<ReturnType<ReturnType<typeof credentialInterceptor>>>>): Promise<string> {
  if (got.kind === 'refused') return got.refusal.code;
  const chunks: Buffer[] = [];
  for await (const bytes of got.body ?? []) chunks.push(bytes);
  return Buffer.concat(chunks).toString('latin1');
}

/** A login whose token URL is of the host of its API. */
function login() {
  const injection = { kind: 'oauth2-login', tokenUrl: 'https://api.test/oauth/token' } as const;
  const credentials = [
    credentialOf({ name: 'login', injection }),
    credentialOf({ name: 'login.token', group: 'login', injection }),
  ];
  return credentialInterceptor(testContext({ credentials, client: scripted([]) }));
}

const content = 'grant_type=authorization_code&code=c';

describe('the tokens of a login stay outside, however its URL is written', () => {
  test.each([
    '/oauth/token',
    '/oauth/token.json',
    '/oauth/token%2Ejson',
    '/oauth/token/x',
    '/oauth/token.',
    '/oauth/token%20',
    '/oauth/token%00',
    '/oauth/token%0a',
    '/oauth/%2574oken',
    '/oauth/token,x',
    '/index.php/oauth/token',
    '/v2/../oauth/token',
  ])('%s', async (target) => {
    const send = login()(async () => response(tokens), connection);
    const headers = [['Content-Type', form]] as const;
    const text = await textOf(await send(requestOf({ method: 'POST', target, headers, body: textBody(content) })));
    expect(text).toMatch(/^\{"access_token":"\w+","token_type":"bearer"\}$/u);
    expect(text).not.toContain(token);
  });

  test('beside the request line', async () => {
    const headers = [
      ['Content-Type', form],
      ['X-Original-URL', '/oauth/token'],
    ] as const;
    const send = login()(async () => response(tokens), connection);
    const text = await textOf(await send(requestOf({ method: 'POST', target: '/', headers, body: textBody(content) })));
    expect(text).not.toContain(token);
  });

  test('under a name with a hyphen', async () => {
    const send = login()(async () => response(JSON.stringify({ 'access-token': token })), connection);
    const text = await textOf(
      await send(requestOf({ method: 'POST', target: '/oauth/token', body: textBody(content) })),
    );
    expect(text).toMatch(/^\{"access-token":"\w+"\}$/u);
    expect(text).not.toContain(token);
  });

  test.each(['/oauth/tokens', '/v1/users', '/oauth/tokeninfo'])('and %s is another page', async (target) => {
    const page = `<p>${'x'.repeat(300 * 1024)}`;
    const send = login()(async () => response(page, 'text/html'), connection);
    expect(await textOf(await send(requestOf({ target })))).toBe(page);
  });

  test('and a page below it is shown if it holds no token', async () => {
    const send = login()(async () => response('<p>hello', 'text/html'), connection);
    expect(await textOf(await send(requestOf({ target: '/oauth/token/info' })))).toBe('<p>hello');
  });
});

describe('a registry', () => {
  const credential = credentialOf({ injection: { kind: 'docker-registry', user: 'dev' } });
  const at = (target: string, given: IncomingResponse) => {
    const context = testContext({ credentials: [credential], client: scripted([]) });
    const basic = Buffer.from(`dev:${context.phantom()}`).toString('base64');
    const send = credentialInterceptor(context)(async () => given, connection);
    return send(requestOf({ target, headers: [['Authorization', `Basic ${basic}`]] }));
  };

  /** Attack: PHP and Java serve the same page whatever stands behind its name. */
  test.each(['/token.php/v2/x/blobs/y', '/token;/v2/x/manifests/y', '/auth/token/v2/x/referrers/y?service=r'])(
    'keeps the token of %s outside',
    async (target) => {
      const text = await textOf(await at(target, response(JSON.stringify({ token }))));
      expect(text).toMatch(/^\{"token":"\w+"\}$/u);
      expect(text).not.toContain(token);
    },
  );

  test.each(['application/vnd.oci.image.manifest.v1+json', 'application/octet-stream', 'binary/octet-stream'])(
    'shows content of type %s unchanged, however long',
    async (type) => {
      const large = JSON.stringify({ token, x: 'y'.repeat(1100 * 1024) });
      expect(await textOf(await at('/v2/x/blobs/y', response(large, type)))).toBe(large);
    },
  );
});

test('a token endpoint does not show its client the supervisor’s request', async () => {
  const injection = { kind: 'oauth2-client', tokenUrl: 'https://login.test:8443/token', clientId: 'app' } as const;
  const client = scripted([answer(200, { access_token: token, token_type: 'bearer' })]);
  const context = testContext({ credentials: [credentialOf({ injection })], client });
  const open = credentialInterceptor(context);
  const headers = [['Authorization', `Bearer ${context.phantom()}`]] as const;
  await open(async () => response('{}'), connection)(requestOf({ headers }));
  const shown = async (): Promise<IncomingResponse> => response(`${secretOf('main')} ${token}`);
  const send = open(shown, { destination: { host: 'login.test', port: 8443 }, scheme: 'https' });
  expect(await textOf(await send(requestOf({ authority: 'login.test:8443', target: '/debug' })))).toMatch(/^\*+ \*+$/u);
});
