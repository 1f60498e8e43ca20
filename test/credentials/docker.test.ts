import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scripted } from '../../src/credentials/tokens/testing/scene.ts';
import { scratchFile } from '../../src/egress/tls/testing/loopback.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { openWorld, type Site, type World } from '../lib/credential-world.ts';
import { identityToken, layer, password, realm, registry, registryToken, user } from './lib/registry.ts';
import { tables } from './lib/tables.ts';

const table = (hosts: string, more = ''): string =>
  `name = "main"\nhosts = [${hosts}]\nsource = { env = "REAL" }\nenvironment = ["REGISTRY_PASSWORD"]\ninject = { kind = "docker-registry", user = "${user}" }\n${more}`;
const both = table('"registry.test", "realm.test"');
const secrets = [password, registryToken, identityToken];

interface Options {
  readonly credential?: string;
  readonly sites?: Readonly<Record<string, Site>>;
}

async function open({ credential = both, sites = {} }: Options = {}): Promise<World> {
  return openWorld({
    credentials: tables(credential),
    secrets: { main: { kind: 'secret', secret: { value: password, fields: {} } } },
    client: scripted([]),
    sites: { 'registry.test': registry, 'realm.test': realm, ...sites },
  });
}

async function curl(world: World, ...words: readonly string[]): Promise<string> {
  const { stdout } = await world.run(['curl', '-sS', '-m', '10', ...words]);
  for (const secret of secrets) expect(stdout).not.toContain(secret);
  return stdout;
}

async function tokenOf(world: World, ...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(
    await curl(world, 'https://realm.test/token?service=registry.test&scope=repository:team/app:pull', ...words),
  ) as Readonly<Record<string, string>>;
}

describe.skipIf(programPath('skopeo') === undefined)(`skopeo with a phantom${reason('skopeo')}`, () => {
  test('pulls an image', async () => {
    const world = await open();
    const auth = Buffer.from(`${user}:${world.context.phantom()}`).toString('base64');
    const authfile = scratchFile('auth.json', JSON.stringify({ auths: { 'registry.test': { auth } } }));
    const policy = scratchFile('policy.json', '{"default":[{"type":"insecureAcceptAnything"}]}');
    const target = join(scratchFile('unused', ''), '..', 'image');
    const { status, stderr } = await world.run([
      'skopeo',
      '--policy',
      policy,
      'copy',
      '--authfile',
      authfile,
      'docker://registry.test/team/app:latest',
      `dir:${target}`,
    ]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const { layers } = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as {
      readonly layers: readonly [{ readonly digest: string }];
    };
    expect(readFileSync(join(target, layers[0].digest.replace('sha256:', '')))).toEqual(layer);
    expect(world.context.alarms).toEqual([]);
    expect(world.refusals).toEqual([]);
    expect(
      world.arrived.filter(({ host }) => host === 'realm.test').map(({ headers }) => headers['authorization']),
    ).toContain(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  });
});

describe.skipIf(programPath('curl') === undefined)(`the token of a realm${reason('curl')}`, () => {
  const basic = (world: World): readonly string[] => ['-u', `${user}:${world.context.phantom()}`];

  test.each(['--http1.1', '--http2'])(
    'stays outside, and its phantom works at the registry, over %s',
    async (version) => {
      const world = await open();
      const answer = await tokenOf(world, version, ...basic(world));
      expect(Object.keys(answer)).toEqual(['token', 'access_token', 'expires_in', 'issued_at']);
      for (const name of ['token', 'access_token']) {
        expect(
          await curl(
            world,
            version,
            '-H',
            `Authorization: Bearer ${answer[name]}`,
            'https://registry.test/v2/team/app/tags/list',
          ),
        ).toBe('{"name":"team/app","tags":["latest"]}');
        expect(world.arrived.at(-1)?.headers['authorization']).toBe(`Bearer ${registryToken}`);
      }
      expect(world.context.alarms).toEqual([]);
    },
  );

  test('is given for a password in a form, and for the identity token from that answer', async () => {
    const world = await open();
    const first = await tokenOf(
      world,
      '-d',
      `grant_type=password&username=${user}&password=${world.context.phantom()}&client_id=curl`,
    );
    expect(world.arrived.at(-1)?.body.toString()).toBe(
      `grant_type=password&username=${user}&password=${password}&client_id=curl`,
    );
    expect(Object.keys(first)).toEqual(['access_token', 'refresh_token', 'expires_in', 'issued_at']);
    const second = await tokenOf(world, '-d', `grant_type=refresh_token&refresh_token=${first['refresh_token']}`);
    expect(world.arrived.at(-1)?.body.toString()).toBe(`grant_type=refresh_token&refresh_token=${identityToken}`);
    expect(second).toEqual(first);
  });

  test.each(['application/json; charset=utf-8', 'text/plain', 'text/html'])(
    'stays outside, with any type of the answer: %s',
    async (type) => {
      const world = await open({
        sites: {
          'realm.test': (_request, response) =>
            void response.writeHead(200, { 'content-type': type }).end(JSON.stringify({ token: registryToken })),
        },
      });
      expect(await tokenOf(world, ...basic(world))).toEqual({
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/u),
      });
    },
  );

  test.each([
    [
      'more than a box may have at once',
      JSON.stringify({ token: registryToken, x: 'x'.repeat(1024 * 1024) }),
      'has more than 1024 KiB',
    ],
    ['JSON that goes on', `${JSON.stringify({ token: registryToken })}x`, 'is neither JSON nor a form'],
    ['a token that is a list', JSON.stringify({ token: [registryToken] }), 'holds a token that cannot be kept'],
  ])('in an answer with %s refuses it', async (_, body, why) => {
    const world = await open({
      sites: {
        'realm.test': (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(body),
      },
    });
    expect(await curl(world, ...basic(world), 'https://realm.test/token')).toContain(why);
  });

  test.each([
    ['a part of an answer', 206, 'text/plain', `"${registryToken}"`],
    ['an answer in XML', 200, 'application/xml', `<token>${registryToken}</token>`],
    ['an answer that calls a function', 200, 'text/javascript', `f(${JSON.stringify({ token: registryToken })})`],
    ['an answer that looks like a layer', 200, 'application/octet-stream', `x${registryToken}`],
  ] as const)('does not come in with %s', async (...[, status, type, body]) => {
    const world = await open({
      sites: {
        'realm.test': (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body),
      },
    });
    await curl(world, ...basic(world), 'https://realm.test/token');
    await curl(world, '-d', `grant_type=password&password=${world.context.phantom()}`, 'https://realm.test/token');
    expect(world.refusals.map(({ code }) => code)).toEqual(['upstream-protocol', 'upstream-protocol']);
  });

  test('is not searched for in content, nor in responses to requests without a secret', async () => {
    const page = `<p>${'x'.repeat(100)}</p>`;
    const large = 'x'.repeat(2 * 1024 * 1024);
    const world = await open({
      sites: {
        'registry.test': ({ url }, response) =>
          void response
            .writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'application/octet-stream' })
            .end(url === '/' ? page : large),
      },
    });
    expect(await curl(world, 'https://registry.test/')).toBe(page);
    for (const path of ['v2/team/app/blobs/sha256:0', 'download'])
      expect(await curl(world, `https://registry.test/${path}`)).toBe(large);
    expect(await curl(world, ...basic(world), 'https://registry.test/v2/team/app/blobs/sha256:0')).toBe(large);
  });

  test('is not requested from an unbound realm', async () => {
    const world = await open({ credential: table('"registry.test"') });
    expect(await curl(world, ...basic(world), 'https://realm.test/token')).toContain(
      'holds the phantom of the credential "main"',
    );
    expect(world.arrived).toEqual([]);
    expect(world.context.alarms.map(({ kind }) => kind)).toEqual(['phantom-unbound']);
  });

  test('is obtained without a phantom if the credential is always used', async () => {
    const world = await open({ credential: table('"registry.test", "realm.test"', 'use = "always"') });
    const { token } = await tokenOf(world);
    expect(await curl(world, '-H', `Authorization: Bearer ${token}`, 'https://registry.test/v2/')).toBe('{}');
  });

  test.each([
    [
      'the identity token as bearer',
      (world: World, { refresh_token: token }: Readonly<Record<string, string>>) => [
        '-H',
        `Authorization: Bearer ${token}`,
        'https://registry.test/v2/',
      ],
      'credential-unavailable',
    ],
    [
      'the token as a password',
      (world: World, { access_token: token }: Readonly<Record<string, string>>) => [
        '-d',
        `grant_type=password&username=x&password=${token}`,
        'https://realm.test/token',
      ],
      'phantom-misused',
    ],
    [
      'the password as a refresh token',
      (world: World) => [
        '-d',
        `grant_type=refresh_token&refresh_token=${world.context.phantom()}`,
        'https://realm.test/token',
      ],
      'phantom-misused',
    ],
    [
      'the password in a form that is put',
      (world: World) => [
        '-X',
        'PUT',
        '-d',
        `grant_type=password&password=${world.context.phantom()}`,
        'https://realm.test/token',
      ],
      'phantom-misused',
    ],
    [
      'the password in a manifest',
      (world: World) => [
        '-X',
        'PUT',
        '-H',
        'Content-Type: application/vnd.oci.image.manifest.v1+json',
        '-d',
        `{"annotations":{"x":"${world.context.phantom()}"}}`,
        'https://registry.test/v2/team/app/manifests/x',
      ],
      'phantom-misused',
    ],
    [
      'the password in a layer',
      (world: World) => [
        '-X',
        'PUT',
        '-H',
        'Content-Type: application/octet-stream',
        '-d',
        world.context.phantom(),
        'https://registry.test/v2/team/app/blobs/uploads/1',
      ],
      'phantom-misused',
    ],
    [
      'the token in a scope',
      (world: World, { access_token: token }: Readonly<Record<string, string>>) => [
        `https://realm.test/token?scope=${token}`,
      ],
      'phantom-misused',
    ],
  ] as const)('%s is refused', async (_, words, code) => {
    const world = await open();
    const tokens = await tokenOf(
      world,
      '-d',
      `grant_type=password&username=${user}&password=${world.context.phantom()}`,
    );
    await curl(world, ...words(world, tokens));
    expect(world.refusals.map((refusal) => refusal.code)).toEqual([code]);
    expect(world.arrived).toHaveLength(1);
  });
});
