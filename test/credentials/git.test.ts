import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { scratch } from '../../src/egress/tls/testing/loopback.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { credentialOf } from '../../src/credentials/inject/testing/context.ts';
import { openWorld, type Site, type World } from '../lib/credential-world.ts';
import { bareRepository, serveGit, subjects } from '../network/lib/git-server.ts';
import { provided } from './lib/provided.ts';

const secret = `ghp_${'EXAMPLE0'.repeat(4)}abcd`;
const basicOf = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** A forge that shows nothing to clients without a token, as for a private repository. */
function forge(root: string): Site {
  const serve = serveGit(root);
  return ({ method, url, headers, body }, response) => {
    if (headers['authorization'] !== basicOf('x-access-token', secret))
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end();
    // The handler has read the request: git's server gets it again.
    serve(
      Object.assign(Readable.from([body]), { method, url, headers }) as unknown as IncomingMessage,
      response as ServerResponse,
    );
  };
}

interface Forge {
  readonly world: World;
  readonly repository: string;
  git(...words: readonly string[]): ReturnType<World['run']>;
}

async function openForge(use: 'phantom' | 'always'): Promise<Forge> {
  const root = scratch();
  const directory = scratch();
  const repository = bareRepository(root);
  const { credentials, secrets } =
    use === 'always'
      ? provided({ github: secret })
      : {
          ...provided({ github: secret }),
          credentials: [
            credentialOf({ name: 'github', injection: { kind: 'git', user: 'x-access-token' }, hosts: ['github.com'] }),
          ],
        };
  const world = await openWorld({
    credentials,
    secrets,
    sites: { 'github.com': forge(root), 'api.github.com': (_, response) => void response.end() },
  });
  const git = (...words: readonly string[]): ReturnType<World['run']> =>
    world.run(['git', '-C', directory, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words]);
  return { world, repository, git };
}

/** Clones, commits and pushes. Returns the exit codes and the messages, in order. */
async function roundTrip(
  { git }: Forge,
  url: string,
  ...settings: readonly string[]
): Promise<readonly (readonly [number | string | null, string])[]> {
  const outcomes: (readonly [number | string | null, string])[] = [];
  for (const words of [
    ['clone', '-q', url, 'copy'],
    ['-C', 'copy', 'commit', '-q', '--allow-empty', '-m', 'second'],
    ['-C', 'copy', 'push', '-q', 'origin', 'HEAD'],
  ]) {
    const { status, stderr } = await git(...settings, ...words);
    outcomes.push([status, stderr]);
    if (status !== 0) break;
  }
  return outcomes;
}

const wentWell = [
  [0, ''],
  [0, ''],
  [0, ''],
] as const;

describe.skipIf(programPath('git') === undefined)(`git${reason('git')}`, () => {
  test('clones and pushes without any sign of credentials', async () => {
    const open = await openForge('always');
    expect(await roundTrip(open, 'https://github.com/project.git')).toEqual(wentWell);
    expect(subjects(open.repository)).toEqual(['second', 'first']);
    expect(open.world.context.alarms).toEqual([]);
  });

  test('clones and pushes with a phantom from its credential helper, if it is told to ask it', async () => {
    const open = await openForge('phantom');
    const helper = `credential.helper=!f() { echo username=x-access-token; echo password=${open.world.context.phantom('github')}; }; f`;
    expect(await roundTrip(open, 'https://github.com/project.git', '-c', helper)).toEqual(wentWell);
    expect(subjects(open.repository)).toEqual(['second', 'first']);
    expect(open.world.arrived.some(({ headers }) => headers['authorization'] === undefined)).toBe(true);
    expect(open.world.context.alarms).toEqual([]);
  });

  test('clones and pushes with a phantom in the URL', async () => {
    const open = await openForge('phantom');
    expect(
      await roundTrip(open, `https://anybody:${open.world.context.phantom('github')}@github.com/project.git`),
    ).toEqual(wentWell);
    expect(subjects(open.repository)).toEqual(['second', 'first']);
  });

  test('does not push with another token', async () => {
    const open = await openForge('phantom');
    expect(await roundTrip(open, 'https://attacker:token-EXAMPLE@github.com/project.git')).not.toEqual(wentWell);
    expect(open.world.context.alarms).toMatchObject([
      { kind: 'foreign-credential', place: 'the header authorization' },
    ]);
    expect(open.world.arrived.every(({ headers }) => headers['authorization'] === undefined)).toBe(true);
  });

  test('does not get the token elsewhere on the host', async () => {
    const { world } = await openForge('always');
    await world.run(['curl', '-sS', 'https://github.com/settings/tokens']);
    expect(world.arrived).toMatchObject([
      { url: '/settings/tokens', headers: expect.not.objectContaining({ authorization: expect.anything() }) },
    ]);
    const { stdout } = await world.run([
      'curl',
      '-sS',
      '-u',
      `x-access-token:${world.context.phantom('github')}`,
      'https://github.com/settings/tokens',
    ]);
    expect(stdout).toContain('which is not bound to that host, method and path');
    expect(world.arrived).toHaveLength(1);
  });
});
