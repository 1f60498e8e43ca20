import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratch } from '../../src/egress/tls/testing/loopback.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { openWorld, type Site, type World } from '../lib/credential-world.ts';
import { deliveredBy, provided } from './lib/provided.ts';

const secret = `npm_${'EXAMPLE0'.repeat(4)}abcd`;

/** A registry of private packages, in memory. */
function registry(): Site {
  const documents = new Map<string, string>();
  return ({ method, url, headers, body }, response) => {
    if (headers['authorization'] !== `Bearer ${secret}`)
      return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"unauthorised"}');
    const name = decodeURIComponent(url.slice(1).split('?', 1)[0] ?? '');
    if (method === 'PUT') documents.set(name, body.toString());
    if (name === '-/whoami')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"username":"example"}');
    const document = documents.get(name);
    return void response
      .writeHead(document === undefined ? 404 : method === 'PUT' ? 201 : 200, { 'content-type': 'application/json' })
      .end(document ?? '{"error":"not found"}');
  };
}

interface Npm {
  readonly world: World;
  /** Name of the package. */
  readonly directory: string;
  npm(...words: readonly string[]): ReturnType<World['run']>;
}

/** A package, and npm with the box's credentials. */
async function openRegistry(token: (phantom: string) => string = (phantom) => phantom): Promise<Npm> {
  const world = await openWorld({ ...provided({ npm: secret }), sites: { 'registry.npmjs.org': registry() } });
  const home = scratch();
  const directory = join(home, 'package');
  mkdirSync(directory);
  writeFileSync(join(home, '.npmrc'), `//registry.npmjs.org/:_authToken=\${NPM_TOKEN}\n`);
  writeFileSync(
    join(directory, 'package.json'),
    JSON.stringify({ name: '@example/package', version: '1.2.3', publishConfig: { access: 'restricted' } }),
  );
  const environment = {
    ...deliveredBy(world.context),
    NPM_TOKEN: token(world.context.phantom('npm')),
    HOME: home,
    npm_config_cache: join(home, 'cache'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  return {
    world,
    directory,
    npm: (...words) =>
      world.run(['npm', '--registry', 'https://registry.npmjs.org/', '--fetch-retries', '0', ...words], environment),
  };
}

describe.skipIf(programPath('npm') === undefined)(`npm${reason('npm')}`, () => {
  test('publishes and views with only a phantom', async () => {
    const { world, npm, directory } = await openRegistry();
    expect(await npm('whoami')).toMatchObject({ status: 0, stdout: 'example\n' });
    expect(await npm('publish', directory)).toMatchObject({ status: 0, stdout: '+ @example/package@1.2.3\n' });
    expect(await npm('view', '@example/package', 'version')).toMatchObject({ status: 0, stdout: '1.2.3\n' });
    expect(world.arrived.map(({ method, url }) => `${method} ${url}`)).toContain('PUT /@example%2fpackage');
    expect(world.context.alarms).toEqual([]);
  });

  test('does not publish with another token', async () => {
    const { world, npm, directory } = await openRegistry(() => `npm_${'ATTACKER'.repeat(4)}abcd`);
    expect(await npm('publish', directory)).toMatchObject({ status: 1, stderr: expect.stringContaining('403') });
    expect(world.arrived).toEqual([]);
    expect(world.context.alarms[0]).toMatchObject({ kind: 'foreign-credential' });
  });
});
