import { describe, expect, test } from 'vitest';
import { scripted } from '../../src/credentials/tokens/testing/scene.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { openWorld, type Site, type World } from '../lib/credential-world.ts';
import { tables } from './lib/tables.ts';

const kinds = {
  'oauth2-client': '{ kind = "oauth2-client", token_url = "https://auth.test/token", client_id = "app" }',
  'oauth2-refresh': '{ kind = "oauth2-refresh", token_url = "https://auth.test/token", client_id = "app" }',
} as const;

const granted = (token: string) => ({ access_token: token, token_type: 'Bearer', expires_in: 3600 });
const echo: Site = (_request, response) => void response.end('hello');

interface Options {
  readonly kind?: keyof typeof kinds;
  readonly api?: Site;
  readonly replies?: Parameters<typeof scripted>[0];
  readonly more?: string;
}

interface Opened extends World {
  readonly asked: ReturnType<typeof scripted>['asked'];
  pass(time: number): void;
}

async function open({
  kind = 'oauth2-client',
  api = echo,
  replies = [granted('EXAMPLE-access-1'), granted('EXAMPLE-access-2')],
  more = '',
}: Options = {}): Promise<Opened> {
  const credentials = tables(
    `name = "main"\nhosts = ["api.test"]\nsource = { env = "REAL" }\nenvironment = ["TOKEN"]\ninject = ${kinds[kind]}\n${more}`,
  );
  const client = scripted(replies);
  let later = 0;
  const world = await openWorld({
    credentials,
    client,
    now: () => Date.now() + later,
    sites: { 'api.test': api, 'other.test': echo },
  });
  return { ...world, asked: client.asked, pass: (time) => void (later += time) };
}

async function get(world: World, ...words: readonly string[]): Promise<string> {
  return (await world.run(['curl', '-sS', '-m', '10', ...words])).stdout;
}

const bearer = (world: World): readonly string[] => [
  '-H',
  `Authorization: Bearer ${world.context.phantom()}`,
  'https://api.test/',
];

describe.skipIf(programPath('curl') === undefined)(`a token that is fetched with a secret${reason('curl')}`, () => {
  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    '%s: replaces its phantom, and is fetched once',
    async (kind) => {
      const world = await open({ kind });
      expect([await get(world, ...bearer(world)), await get(world, ...bearer(world))]).toEqual(['hello', 'hello']);
      expect(world.arrived.map(({ headers }) => headers['authorization'])).toEqual([
        'Bearer EXAMPLE-access-1',
        'Bearer EXAMPLE-access-1',
      ]);
      expect(world.asked).toHaveLength(1);
      expect(world.context.uses).toHaveLength(2);
    },
  );

  test('is the password of clients that speak Basic', async () => {
    const world = await open();
    await get(world, '-u', `git:${world.context.phantom()}`, 'https://api.test/');
    expect(
      Buffer.from(world.arrived[0]?.headers['authorization']?.toString().split(' ')[1] ?? '', 'base64').toString(),
    ).toBe('x-access-token:EXAMPLE-access-1');
  });

  test('is inserted without a phantom if the credential is always used', async () => {
    const world = await open({ more: 'use = "always"' });
    await get(world, 'https://api.test/');
    expect(world.arrived[0]?.headers['authorization']).toBe('Bearer EXAMPLE-access-1');
  });

  test('is not fetched for a request that may not have it', async () => {
    const world = await open();
    await get(world, 'https://api.test/');
    await get(world, '-H', `Authorization: Bearer ${world.context.phantom()}`, 'https://other.test/');
    expect(world.asked).toEqual([]);
    expect(world.context.alarms.map(({ kind }) => kind)).toEqual(['phantom-unbound']);
  });

  test('that a server rejected is fetched again, once in ten seconds', async () => {
    const world = await open({
      api: ({ headers }, response) =>
        void response.writeHead(headers['authorization'] === 'Bearer EXAMPLE-access-2' ? 200 : 401).end(),
    });
    const code = (): Promise<string> => get(world, '-w', '%{http_code}', ...bearer(world));
    expect([await code(), await code()]).toEqual(['401', '401']);
    expect(world.asked).toHaveLength(1);
    world.pass(10_000);
    expect([await code(), await code()]).toEqual(['401', '200']);
    expect(world.asked).toHaveLength(2);
  });

  test('that was not sent is not fetched again after a server’s 401', async () => {
    const world = await open({
      api: ({ headers }, response) => void response.writeHead(headers['authorization'] === undefined ? 401 : 200).end(),
    });
    await get(world, ...bearer(world));
    world.pass(10_000);
    await get(world, 'https://api.test/');
    await get(world, ...bearer(world));
    expect(world.asked).toHaveLength(1);
  });

  test('in an answer is masked', async () => {
    const world = await open({
      api: ({ headers }, response) => void response.end(`you sent ${headers['authorization']}`),
    });
    expect(await get(world, ...bearer(world))).toBe(`you sent Bearer ${'*'.repeat('EXAMPLE-access-1'.length)}`);
  });

  test('a missing token refuses the request with the reason, and without the server’s text', async () => {
    const world = await open({
      replies: [{ kind: 'answer', status: 400, body: '{"error":"invalid_scope","error_description":"EXAMPLE text"}' }],
    });
    const shown = await get(world, ...bearer(world));
    expect(shown).toContain('The credential "main" cannot be used: its token endpoint refused: invalid_scope.');
    expect(shown).not.toContain('EXAMPLE');
    expect(world.refusals.map(({ code }) => code)).toEqual(['credential-unavailable']);
    expect(world.arrived).toEqual([]);
  });
});
