import { describe, expect, test } from 'vitest';
import { credentialOf } from '../../src/credentials/inject/testing/context.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import type { Credential } from '../../src/policy/credentials/types.ts';
import { openWorld, type World } from '../lib/credential-world.ts';
import { deliveredBy, provided } from './lib/provided.ts';

const secret = 'EXAMPLE:se/cret+with=odd&characters?';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Kind {
  readonly injection: Credential['injection'];
  /** Arguments of curl, in which `PHANTOM` is the phantom. */
  readonly asks: readonly string[];
  /** The received URL, or a received header. */
  readonly arrives: { readonly url: string } | { readonly header: string; readonly value: string };
}

const kinds: readonly Kind[] = [
  {
    injection: { kind: 'bearer' },
    asks: ['--oauth2-bearer', 'PHANTOM', 'https://api.test/'],
    arrives: { header: 'authorization', value: `Bearer ${secret}` },
  },
  {
    injection: { kind: 'header', name: 'X-Api-Key', prefix: 'key ' },
    asks: ['-H', 'x-api-key: PHANTOM', 'https://api.test/'],
    arrives: { header: 'x-api-key', value: `key ${secret}` },
  },
  {
    injection: { kind: 'basic', user: 'me' },
    asks: ['-u', 'anybody:PHANTOM', 'https://api.test/'],
    arrives: { header: 'authorization', value: `Basic ${base64(`me:${secret}`)}` },
  },
  {
    injection: { kind: 'query', parameter: 'key' },
    asks: ['https://api.test/v1?a=1&key=PHANTOM&b=2'],
    arrives: { url: `/v1?a=1&key=${encodeURIComponent(secret)}&b=2` },
  },
  {
    injection: { kind: 'path' },
    asks: ['https://api.test/botPHANTOM/send'],
    arrives: { url: `/bot${secret.replace('?', '%3F')}/send` },
  },
  {
    injection: { kind: 'git', user: 'me' },
    asks: ['-u', 'anybody:PHANTOM', 'https://api.test/a.git/info/refs'],
    arrives: { header: 'authorization', value: `Basic ${base64(`me:${secret}`)}` },
  },
];

const cookie: Kind = {
  injection: { kind: 'cookie', name: 'session' },
  asks: ['-b', 'a=1; session=PHANTOM', 'https://api.test/'],
  arrives: { header: 'cookie', value: 'a=1; session=EXAMPLE-cookie' },
};

function open(injection: Credential['injection'], value: string, use: Credential['use'] = 'phantom'): Promise<World> {
  return openWorld({
    credentials: [credentialOf({ injection, use })],
    secrets: { main: { kind: 'secret', secret: { value, fields: {} } } },
    sites: { 'api.test': (_, response) => void response.end('fine') },
  });
}

function curl(world: World, version: string, asks: readonly string[]): ReturnType<World['run']> {
  return world.run([
    'curl',
    '-sS',
    '-g',
    version,
    ...asks.map((word) => word.replace('PHANTOM', world.context.phantom())),
  ]);
}

describe.skipIf(programPath('curl') === undefined)(`curl with a phantom${reason('curl')}`, () => {
  test.each(
    [...kinds, cookie].flatMap((kind) =>
      ['--http1.1', '--http2'].map((version) => ({ name: kind.injection.kind, version, kind })),
    ),
  )('of the kind $name over $version: the secret arrives in its place', async ({ kind, version }) => {
    const world = await open(kind.injection, kind === cookie ? 'EXAMPLE-cookie' : secret);
    expect(await curl(world, version, kind.asks)).toMatchObject({ status: 0, stdout: 'fine' });
    const [arrived] = world.arrived;
    expect(arrived?.version).toBe(version === '--http2' ? '2.0' : '1.1');
    expect('url' in kind.arrives ? arrived?.url : arrived?.headers[kind.arrives.header]).toBe(
      'url' in kind.arrives ? kind.arrives.url : kind.arrives.value,
    );
    expect(world.context.alarms).toEqual([]);
  });

  test.each(
    kinds.filter(({ injection }) => injection.kind !== 'path').map((kind) => ({ name: kind.injection.kind, kind })),
  )('without one, of the kind $name that is always used: the secret arrives too', async ({ kind }) => {
    const world = await open(kind.injection, secret, 'always');
    expect(await curl(world, '--http2', [kind.asks.at(-1)?.replace('&key=PHANTOM', '') ?? ''])).toMatchObject({
      status: 0,
      stdout: 'fine',
    });
    const [arrived] = world.arrived;
    if ('url' in kind.arrives)
      expect(new URL(arrived?.url ?? '', 'https://api.test').searchParams.get('key')).toBe(secret);
    else expect(arrived?.headers[kind.arrives.header]).toBe(kind.arrives.value);
  });

  test('uploads to PyPI as its clients do', async () => {
    const token = `pypi-AgEIcHlwaS5vcmc${'EXAMPLE0'.repeat(15)}`;
    const world = await openWorld({
      ...provided({ pypi: token }),
      sites: { 'upload.pypi.org': (_, response) => void response.end('fine') },
    });
    const { TWINE_PASSWORD = '' } = deliveredBy(world.context);
    expect(TWINE_PASSWORD).toMatch(/^pypi-AgEIcHlwaS5vcmc/u);
    const { stdout } = await world.run([
      'curl',
      '-sS',
      '-u',
      `__token__:${TWINE_PASSWORD}`,
      '-F',
      ':action=file_upload',
      '-F',
      'content=@/etc/hostname',
      'https://upload.pypi.org/legacy/',
    ]);
    expect(stdout).toBe('fine');
    expect(world.arrived[0]?.headers['authorization']).toBe(`Basic ${base64(`__token__:${token}`)}`);
    expect(world.arrived[0]?.body.toString()).toContain('file_upload');
  });
});
