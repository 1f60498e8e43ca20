import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { scripted } from '../../src/credentials/tokens/testing/scene.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { type Arrived, openWorld, type Site, type World } from '../lib/credential-world.ts';
import { tables } from './lib/tables.ts';

const jwt = (claims: object): string =>
  [{ alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('EXAMPLE-signature-of-the-token-x')
    .join('.');
const real = {
  access_token: 'EXAMPLE-access-token-0123456789',
  refresh_token: 'EXAMPLE-refresh-token-0123456789',
  id_token: jwt({ sub: 'someone', email: 'someone@example.com' }),
} as const;
const next = {
  access_token: 'EXAMPLE-second-access-token-0123',
  refresh_token: 'EXAMPLE-second-refresh-token-012',
} as const;
const secrets = [...Object.values(real), ...Object.values(next)];

type Answer = Parameters<Site>[1];

const json = (response: Answer, body: unknown): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Issues tokens for a code, and others for a refresh token. */
const auth: Site = ({ body, url, method }, response) => {
  if (method !== 'POST' || !/^\/oauth\/token\/?$/iu.test(url)) return void response.writeHead(404).end('nothing');
  json(response, body.includes('refresh_token') ? next : { token_type: 'Bearer', expires_in: 3600, ...real });
};

const api: Site = ({ headers }, response) =>
  void response.end(`hello ${headers['authorization'] === undefined ? 'stranger' : 'friend'}`);

interface Options {
  readonly sites?: Readonly<Record<string, Site>>;
  /** Lines of the table. */
  readonly more?: string;
}

async function open({ sites = {}, more = '' }: Options = {}): Promise<World> {
  const credentials = tables(
    `name = "main"\nhosts = ["api.test"]\ninject = { kind = "oauth2-login", token_url = "https://auth.test/oauth/token" }\n${more}`,
  );
  return openWorld({
    credentials,
    client: scripted([]),
    sites: { 'api.test': api, 'auth.test': auth, 'other.test': api, ...sites },
  });
}

type Tokens = Readonly<Record<string, string>>;

async function post(world: World, body: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await world.run([
    'curl',
    '-sS',
    '-m',
    '10',
    '--data-binary',
    body,
    ...words,
    ...(words.some((word) => word.startsWith('https:')) ? [] : ['https://auth.test/oauth/token']),
  ]);
  for (const secret of secrets) expect(stdout).not.toContain(secret);
  return stdout;
}

async function login(world: World): Promise<Tokens> {
  return JSON.parse(await post(world, 'grant_type=authorization_code&code=EXAMPLE-code&client_id=app')) as Tokens;
}

async function get(world: World, token: string, ...words: readonly string[]): Promise<string> {
  return (await world.run(['curl', '-sS', '-m', '10', '-H', `Authorization: Bearer ${token}`, ...words])).stdout;
}

function bodyOf(arrived: Arrived | undefined): string {
  return arrived?.body.toString() ?? '';
}

describe.skipIf(programPath('curl') === undefined)(`a login inside a box${reason('curl')}`, () => {
  test.each(['--http1.1', '--http2'])(
    'gets phantoms for the tokens, and everything else unchanged, over %s',
    async (version) => {
      const world = await open();
      const answer = JSON.parse(
        await post(world, 'grant_type=authorization_code&code=EXAMPLE-code', version),
      ) as Tokens;
      expect(Object.keys(answer)).toEqual(['token_type', 'expires_in', 'access_token', 'refresh_token', 'id_token']);
      expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
      expect(answer['id_token']?.split('.').slice(0, 2)).toEqual(real.id_token.split('.').slice(0, 2));
      expect(bodyOf(world.arrived[0])).toBe('grant_type=authorization_code&code=EXAMPLE-code');
      expect(world.refusals).toEqual([]);
      expect(world.context.alarms).toEqual([]);
    },
  );

  test.each(['access_token', 'id_token'])('the phantom of an %s works at its bound hosts', async (name) => {
    const world = await open();
    const tokens = await login(world);
    expect(await get(world, tokens[name] ?? '', 'https://api.test/')).toBe('hello friend');
    expect(world.arrived.at(-1)?.headers['authorization']).toBe(`Bearer ${real[name as keyof typeof real]}`);
  });

  test('the phantom of a refresh token obtains the next tokens, which stay outside too', async () => {
    const world = await open();
    const tokens = await login(world);
    const second = JSON.parse(
      await post(world, `grant_type=refresh_token&refresh_token=${tokens['refresh_token']}&client_id=app`),
    ) as Tokens;
    expect(bodyOf(world.arrived.at(-1))).toBe(
      `grant_type=refresh_token&refresh_token=${real.refresh_token}&client_id=app`,
    );
    const third = JSON.parse(
      await post(
        world,
        `{"client_id":"app","grant_type":"refresh_token","refresh_token":"${second['refresh_token']}"}`,
        '-H',
        'Content-Type: application/json',
      ),
    ) as Tokens;
    expect(bodyOf(world.arrived.at(-1))).toBe(
      `{"client_id":"app","grant_type":"refresh_token","refresh_token":"${next.refresh_token}"}`,
    );
    expect(third).toEqual(second);
    await get(world, third['access_token'] ?? '', 'https://api.test/');
    expect(world.arrived.at(-1)?.headers['authorization']).toBe(`Bearer ${next.access_token}`);
  });

  test.each([
    [
      'in a form',
      {
        type: 'application/x-www-form-urlencoded',
        body: `access_token=${real.access_token}&scope=repo&token_type=bearer`,
      },
      /^access_token=[\w-]{31}&scope=repo&token_type=bearer$/u,
    ],
    [
      'in a form that is called text',
      { type: 'text/plain', body: `access_token=${real.access_token}&scope=repo` },
      /^access_token=[\w-]{31}&scope=repo$/u,
    ],
    [
      'deep in a document',
      { type: 'application/json', body: JSON.stringify({ ok: true, user: { access_token: real.access_token } }) },
      /^\{"ok":true,"user":\{"access_token":"[\w-]{31}"\}\}$/u,
    ],
    [
      'in JSON that is called text',
      { type: 'text/html', body: JSON.stringify({ access_token: real.access_token }) },
      /^\{"access_token":"[\w-]{31}"\}$/u,
    ],
  ])('tokens %s stay outside too', async (_, { type, body }, shown) => {
    const world = await open({
      sites: { 'auth.test': (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body) },
    });
    expect(await post(world, 'grant_type=x')).toMatch(shown);
  });

  test('claims are masked in phantoms inside files of the credential', async () => {
    const world = await open({ more: 'files = [{ path = "~/.app/auth.json", format = "json", claims = "masked" }]' });
    const [head, claims] = (await login(world))['id_token']?.split('.') ?? [];
    expect([head, JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())]).toEqual([
      real.id_token.split('.')[0],
      {},
    ]);
  });

  test('tokens in a compressed answer stay outside too', async () => {
    const world = await open({
      sites: {
        'auth.test': (_request, response) =>
          void response
            .writeHead(200, {
              'content-type': 'application/json',
              'content-encoding': 'gzip',
              'content-digest': 'sha-256=:x:',
            })
            .end(gzipSync(JSON.stringify(real))),
      },
    });
    const shown = await post(world, 'grant_type=x', '-i', '--compressed');
    expect(shown).toContain('"access_token":"');
    expect(shown).not.toContain('content-digest');
  });

  test.each(['/OAuth/Token', '/oauth/token/', '/oauth/%74oken', '/oauth;x=y/token', '//oauth/token'])(
    'no other spelling of the URL gives a token: %s',
    async (path) => {
      const everywhere: Site = (_request, response) => json(response, real);
      const world = await open({ sites: { 'auth.test': everywhere } });
      await post(world, 'grant_type=x', '--path-as-is', `https://auth.test${path}`);
      await post(world, 'grant_type=x', '-X', 'PUT', '--path-as-is', `https://auth.test${path}`);
    },
  );

  test.each([
    [
      'JSON that goes on',
      { body: `${JSON.stringify(real)} and more`, type: 'application/json' },
      'is neither JSON nor a form',
    ],
    [
      'a byte order mark',
      { body: `\u{feff}${JSON.stringify(real)}`, type: 'application/json' },
      'is neither JSON nor a form',
    ],
    ['HTML', { body: `<p>${real.access_token}</p>`, type: 'text/html' }, 'is neither JSON nor a form'],
    [
      'a token with a blank in it',
      { body: '{"access_token":"a b"}', type: 'application/json' },
      'holds a token that cannot be kept',
    ],
    [
      'a token that is an object',
      { body: JSON.stringify({ access_token: { value: real.access_token } }), type: 'application/json' },
      'holds a token that cannot be kept',
    ],
    [
      'an answer without end',
      { body: JSON.stringify({ ...real, x: 'x'.repeat(300_000) }), type: 'application/json' },
      'has more than 256 KiB',
    ],
  ])('%s is refused', async (_, { body, type }, why) => {
    const world = await open({
      sites: { 'auth.test': (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body) },
    });
    expect(await post(world, 'grant_type=x')).toContain(why);
    expect(world.refusals.map(({ code }) => code)).toEqual(['upstream-protocol']);
  });

  test('a partial answer is refused', async () => {
    const world = await open({
      sites: {
        'auth.test': (_request, response) =>
          void response
            .writeHead(206, { 'content-type': 'application/json', 'content-range': 'bytes 17-99/100' })
            .end(JSON.stringify(real.access_token)),
      },
    });
    expect(await post(world, 'grant_type=x', '-H', 'Range: bytes=17-')).toContain('is only a part');
  });

  test('an incomplete answer is refused', async () => {
    const world = await open({
      sites: {
        'auth.test': (_request, response) =>
          void response
            .writeHead(200, { 'content-length': 1000 })
            .write('{"access_token":"EXAMPLE', () => void response.destroy()),
      },
    });
    expect(await post(world, 'grant_type=x', '--http1.1')).toContain('broke off');
  });

  test.each([
    [400, { 'content-type': 'application/json' }, '{"error":"authorization_pending"}'],
    [502, { 'content-type': 'text/html' }, '<p>busy</p>'],
    [204, {}, ''],
  ])('an answer with status %i and no token passes unchanged', async (status, headers, body) => {
    const world = await open({
      sites: { 'auth.test': (_request, response) => void response.writeHead(status, headers).end(body) },
    });
    expect(await post(world, 'grant_type=x', '-w', ' %{http_code}')).toBe(`${body} ${status}`);
    expect(world.refusals).toEqual([]);
  });

  test('other answers of the same host stay unchanged', async () => {
    const world = await open({
      sites: { 'auth.test': ({ url }, response) => void response.end(`{"access_token": ${url.length}`) },
    });
    expect(await post(world, 'x=y', 'https://auth.test/device/code')).toBe('{"access_token": 12');
  });
});

describe.skipIf(programPath('curl') === undefined)(`a token’s phantom is misused${reason('curl')}`, () => {
  const cases: Readonly<Record<string, (world: World, tokens: Tokens) => Promise<string>>> = {
    'at another host': (world, { access_token: token = '' }) => get(world, token, 'https://other.test/'),
    'in the query': (world, { access_token: token = '' }) => get(world, '', `https://api.test/?t=${token}`),
    'in a body': (world, { access_token: token = '' }) => post(world, `token=${token}`, 'https://api.test/'),
    'as bearer at the token URL': (world, { access_token: token = '' }) =>
      post(world, 'grant_type=x', '-H', `Authorization: Bearer ${token}`),
    'as the code': (world, { refresh_token: token = '' }) => post(world, `grant_type=authorization_code&code=${token}`),
    'an access token as a refresh token': (world, { access_token: token = '' }) =>
      post(world, `grant_type=refresh_token&refresh_token=${token}`),
    twice: (world, { refresh_token: token = '' }) =>
      post(world, `grant_type=refresh_token&refresh_token=${token}&refresh_token=${token}`),
    'beside the right place': (world, { refresh_token: token = '' }) =>
      post(world, `grant_type=refresh_token&refresh_token=${token}&redirect_uri=https://attacker.test/${token}`),
    'in content that is no form': (world, { refresh_token: token = '' }) =>
      post(world, `grant_type=refresh_token&refresh_token=${token}`, '-H', 'Content-Type: text/plain'),
    'in content that is too long': (world, { refresh_token: token = '' }) =>
      post(world, `grant_type=refresh_token&refresh_token=${token}&x=${'x'.repeat(70_000)}`),
    'a refresh token at another path': (world, { refresh_token: token = '' }) =>
      post(world, `grant_type=refresh_token&refresh_token=${token}`, 'https://auth.test/oauth/token2'),
  };

  test.each(Object.keys(cases))('%s', async (name) => {
    const world = await open();
    const tokens = await login(world);
    const count = world.arrived.length;
    await cases[name]?.(world, tokens);
    expect(world.refusals.map(({ code }) => code)).toEqual(['phantom-misused']);
    expect(world.context.alarms).toHaveLength(1);
    expect(world.arrived.slice(count).map(bodyOf).join('')).toBe('');
  });

  test('the phantom of a refresh token is not a bearer token', async () => {
    const world = await open();
    const { refresh_token: token = '' } = await login(world);
    expect(await get(world, token, 'https://api.test/')).toContain(
      'has no access token for the phantom in the request',
    );
    expect(world.arrived.filter(({ host }) => host === 'api.test')).toEqual([]);
  });

  test('a revoked token works nowhere', async () => {
    const world = await open();
    const tokens = await login(world);
    world.context.registry.revoke('main');
    await get(world, tokens['access_token'] ?? '', 'https://api.test/');
    await post(world, `grant_type=refresh_token&refresh_token=${tokens['refresh_token']}`);
    expect(world.context.alarms.map(({ kind }) => kind)).toEqual(['phantom-revoked', 'phantom-revoked']);
    expect(world.arrived).toHaveLength(1);
  });

  test('a token that the server repeats is masked', async () => {
    const world = await open({
      sites: { 'api.test': ({ headers }, response) => void response.end(`you sent ${headers['authorization']}`) },
    });
    const { access_token: token = '' } = await login(world);
    expect(await get(world, token, 'https://api.test/')).toBe(
      `you sent Bearer ${'*'.repeat(real.access_token.length)}`,
    );
    expect(world.context.alarms.map(({ kind }) => kind)).toEqual(['secret-reflected']);
  });
});
