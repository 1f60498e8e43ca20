import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../src/credentials/redis/testing/redis.ts';
import { createAuthority } from '../src/egress/tls/authority.ts';
import { identity } from '../src/egress/tls/testing/servers.ts';
import { backends, repository } from './lib/holdfast.ts';
import { publicFile } from './network/lib/public-file.ts';
import { outcomeOf, type User, users, World } from './network/lib/world.ts';

const realPassword = 'real-EXAMPLE-password-of-the-cache';
const name = 'cache.example';
const authority = createAuthority();
if (!hasRedis)
  console.warn('SKIPPED: Redis in boxes, because it is not installed (Debian: apt-get install redis-server)');
const withRedis = describe.skipIf(!hasRedis);
let server: RedisServer;

beforeAll(async () => {
  if (hasRedis) server = await startRedis({ password: realPassword, tls: identity(authority, name) });
}, 60_000);

afterAll(async () => server?.stop());

interface CacheWorld {
  readonly host?: 'localhost' | typeof name;
  readonly mode?: 'read-only' | 'read-write';
  readonly user?: User;
  readonly more?: string;
}

/** redis-cli 7.0 reads `redis://:password@` as a user without a name, whom no server knows. */
function policyOf({ host = 'localhost', mode = 'read-write', more = '' }: CacheWorld): string {
  const isLocal = host === 'localhost';
  const port = isLocal ? server.port : server.tlsPort;
  return `[network]
hosts = ["${host}:${port}", "127.0.0.1:${port}"]
ca = ["${publicFile('ca.pem', authority.certificatePem)}"]
[[credentials]]
name = "cache"
source = { env = "REAL_PASSWORD" }
hosts = ["${host}:${port}"]
inject = { kind = "redis", mode = "${mode}", tls = "${isLocal ? 'disable' : 'verify-full'}"${more} }
environment = ["REDIS_URL=redis${isLocal ? '' : 's'}://default:{phantom}@${host}:${port}"]
`;
}

function cacheWorld(options: CacheWorld = {}): World {
  return new World({
    policy: policyOf(options),
    names: [name],
    environment: { REAL_PASSWORD: realPassword },
    ...(options.user !== undefined && { user: options.user }),
  });
}

function statements(world: World): readonly string[] {
  return world
    .journal()
    .flatMap((event) =>
      event['type'] === 'statement' ? [`${String(event['decision'])} ${String(event['text'])}`] : [],
    );
}

const cli = 'redis-cli --no-auth-warning -u "$REDIS_URL"';

withRedis('the original URL, with a phantom in the place of the password', { timeout: 60_000 }, () => {
  test.each(backends.flatMap((backend) => users.map((user) => [backend, user] as const)))(
    'leads redis-cli to a service of the host: %s, %s',
    async (backend, user) => {
      const world = cacheWorld({ user });
      expect(await world.inside(`${cli} SET greeting hello; ${cli} -3 GET greeting`, { backend })).toMatchObject({
        status: 0,
        stdout: 'OK\nhello\n',
      });
      expect(statements(world)).toEqual(expect.arrayContaining(['allow SET greeting', 'allow GET greeting']));
      expect((await world.holdfast(['audit', 'show'])).stdout).toContain('SET greeting');
    },
  );

  test('leads redis-cli to a name whose certificate it checks', async () => {
    const world = cacheWorld({ host: name });
    const { stdout, stderr } = await world.inside(`${cli} --cacert "$SSL_CERT_FILE" PING`);
    expect(stdout, stderr).toBe('PONG\n');
  });

  test.each([
    ['localhost', 2],
    ['localhost', 3],
    [name, 2],
  ] as const)('leads ioredis to %s: pipelines, transactions, subscriptions, RESP%i', async (host, protocol) => {
    const world = cacheWorld({ host });
    world.write(
      'client.cjs',
      `
const { Redis } = require(${JSON.stringify(join(repository, 'node_modules/ioredis'))});
const options = { ${protocol === 3 ? 'protocol: 3, ' : ''}maxRetriesPerRequest: 1 };
const client = new Redis(process.env.REDIS_URL, options);
const listener = new Redis(process.env.REDIS_URL, options);
(async () => {
  const many = client.pipeline();
  for (let index = 0; index < 200; index += 1) many.set('key' + index, index).get('key' + index);
  console.log((await many.exec()).filter(([error, value], at) => error === null && (at % 2 === 0 || value === String((at - 1) / 2))).length);
  console.log(JSON.stringify(await client.multi().incr('counter').del('counter').exec()));
  await listener.subscribe('news');
  const heard = new Promise((resolve) => listener.once('message', (channel, text) => resolve(channel + ' ' + text)));
  await client.publish('news', 'hello');
  console.log(await heard);
  client.disconnect();
  listener.disconnect();
})();
`,
    );
    const { stdout, stderr } = await world.run(['node', 'client.cjs']);
    expect(stdout, stderr).toBe('400\n[[null,1],[null,1]]\nnews hello\n');
  });
});

withRedis('the real password', { timeout: 60_000 }, () => {
  test('is neither in the box nor in the records, and no command returns it', async () => {
    const world = cacheWorld();
    const search = `${cli} PING > /dev/null
cat /proc/*/environ /proc/*/cmdline 2> /dev/null | tr '\\0' '\\n' | grep -c '${realPassword.replace('real', '[r]eal')}'
${cli} CONFIG GET requirepass
${cli} ACL LIST`;
    const { stdout } = await world.run(['sh', world.write('search.sh', search)]);
    expect(stdout).toMatch(/^0\n.*CONFIG GET is denied by cache.*\n.*ACL LIST is denied by cache/su);
    expect(stdout + JSON.stringify(world.journal())).not.toContain(realPassword);
  });
});

withRedis('a read-only credential', { timeout: 60_000 }, () => {
  test('reads, and the journal and `why` name each refusal and its table', async () => {
    server.admin('SET', 'kept', 'value');
    const world = cacheWorld({ mode: 'read-only' });
    const { stdout } = await world.inside(
      `${cli} GET kept; ${cli} SET kept other; ${cli} EVAL "return redis.call('DEL', 'kept')" 0`,
    );
    expect(stdout).toContain('value\n');
    expect(stdout).toContain('holdfast: SET is denied by cache: it is read-only');
    expect(server.admin('GET', 'kept')).toBe('value');
    expect(statements(world)).toEqual(expect.arrayContaining(['allow GET kept', 'deny SET kept']));
    const why = await world.holdfast(['why']);
    expect(why.stdout).toContain(`the credential "cache", which is read-only, does not let this through to`);
    expect(why.stdout).toContain(': SET kept');
    expect(why.stdout).toContain('mode = "read-write"');
  });

  test('with a list of commands has no others', async () => {
    const world = cacheWorld({ more: ', commands = ["GET", "INCR"]' });
    const { stdout } = await world.inside(`${cli} INCR listed; ${cli} SET listed 7`);
    expect(stdout).toContain('1\n');
    expect(stdout).toContain('SET is denied by cache: it is not in commands');
  });
});

withRedis('while a box runs', { timeout: 60_000 }, () => {
  test('a revoked credential works nowhere any more', async () => {
    const world = cacheWorld();
    const child = world.start([
      'run',
      '--',
      'sh',
      '-c',
      `${cli} PING; while ! test -e go; do sleep 0.1; done; ${cli} PING`,
    ]);
    const ended = outcomeOf(child);
    await Promise.race([ended, new Promise((resolve) => child.stdout?.once('data', resolve))]);
    await world.holdfast(['credentials', 'revoke', 'cache']);
    world.write('go', '');
    const { stdout, stderr } = await ended;
    expect(stdout.startsWith('PONG\n')).toBe(true);
    expect(stdout + stderr).toContain('is no longer valid');
    expect(stdout.match(/PONG/gu)).toHaveLength(1);
  });
});
