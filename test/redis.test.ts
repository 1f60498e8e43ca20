import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Front, type FrontOptions, startFront } from '../src/credentials/postgres/testing/front.ts';
import { createRedisBroker, type RedisCredential } from '../src/credentials/redis/broker.ts';
import { redisCommands } from '../src/credentials/redis/commands/command.ts';
import {
  realPassword,
  redisCredential,
  testContext,
  type TestContext,
} from '../src/credentials/redis/testing/context.ts';
import { type RawConnection, rawConnection } from '../src/credentials/redis/testing/raw-connection.ts';
import {
  batteryFixture,
  readOnlyAttacks,
  readOnlyUses,
  resp,
} from '../src/credentials/redis/testing/read-only-battery.ts';
import { hasRedis, type RedisServer, startRedis } from '../src/credentials/redis/testing/redis.ts';
import type { SecretRead } from '../src/credentials/types.ts';
import { createAuthority } from '../src/egress/tls/authority.ts';
import { identity } from '../src/egress/tls/testing/servers.ts';

const run = promisify(execFile);
// A machine without Redis reports that: scripts/install-test-packages.sh installs it.
const withRedis = describe.skipIf(!hasRedis);
const host = 'cache.example.com';
const authority = createAuthority();
let server: RedisServer;

beforeAll(async () => {
  if (!hasRedis) return;
  server = await startRedis({
    password: realPassword,
    tls: identity(authority, host),
    settings: ['--enable-debug-command', 'local', '--user', 'app', 'on', `>${realPassword}`, '~*', '&*', '+@all'],
  });
});

afterAll(async () => server?.stop());

interface Setting {
  readonly injection?: Partial<RedisCredential['injection']>;
  readonly secret?: SecretRead;
  readonly front?: Partial<FrontOptions>;
}

interface Brokered {
  readonly front: Front;
  readonly context: TestContext;
  readonly phantom: string;
  cli(...args: readonly string[]): Promise<string>;
  /** A logged-in connection. */
  raw(): Promise<RawConnection>;
}

async function brokered({ injection, secret, front: more }: Setting = {}): Promise<Brokered> {
  const credential = redisCredential(injection);
  const context = testContext({
    credentials: [credential],
    ...(secret !== undefined && { secrets: { cache: secret } }),
  });
  const front = await startFront({
    broker: createRedisBroker(credential, context),
    host,
    destinationPort: 6379,
    port: server.port,
    roots: [authority.certificatePem],
    ...more,
  });
  onTestFinished(() => front.stop());
  const phantom = context.phantom('cache');
  return {
    front,
    context,
    phantom,
    cli: (...args) => cli(front.port, args, phantom),
    async raw() {
      const raw = await rawConnection(front.port);
      onTestFinished(() => raw.close());
      raw.send(resp('AUTH', phantom));
      await raw.heard('+OK\r\n');
      return raw;
    },
  };
}

async function cli(port: number, args: readonly string[], password: string): Promise<string> {
  const { stdout, stderr } = await run('redis-cli', ['-p', String(port), ...args], {
    env: { PATH: process.env['PATH'], REDISCLI_AUTH: password },
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => error);
  return `${stdout}${stderr}`.trim();
}

/** A server that is not Redis, and answers the first bytes that it receives. */
async function listen(answer: (socket: Socket) => void): Promise<{ readonly port: number; heard(): string }> {
  let words = '';
  const listener = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => (words += chunk.toString('latin1')))
      .once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  return { port: (listener.address() as AddressInfo).port, heard: () => words };
}

function file(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'file'), text);
  return join(directory, 'file');
}

withRedis('clients of Redis', () => {
  test.each([
    ['RESP2', '-2'],
    ['RESP3', '-3'],
  ])('redis-cli speaks %s', async (_name, flag) => {
    const { cli } = await brokered();
    expect(await cli(flag, 'HSET', 'of:cli', 'field', 'value')).toMatch(/^[01]$/u);
    expect(await cli(flag, 'HGETALL', 'of:cli')).toBe('field\nvalue'.replace('\n', flag === '-3' ? ' ' : '\n'));
    expect(await cli(flag, 'CONFIG', 'GET', 'requirepass')).toContain(
      'holdfast: CONFIG GET is denied by cache: it reaches beyond the data',
    );
  });

  test('redis-cli by TLS, to a server by TLS', async () => {
    const { front, phantom } = await brokered({
      injection: { tls: 'verify-full' },
      front: { port: server.tlsPort ?? 0 },
    });
    const said = await cli(
      front.port,
      ['--tls', '--cacert', file(front.certificate), '--sni', host, 'ECHO', 'hello'],
      phantom,
    );
    expect(said).toBe('hello');
  });

  test('ioredis: pipelines, transactions, a blocking command and a subscription', async () => {
    const { front, phantom } = await brokered();
    const open = (): Redis => {
      const client = new Redis({ port: front.port, password: phantom, maxRetriesPerRequest: 0 });
      onTestFinished(() => client.disconnect());
      return client;
    };
    const [client, other] = [open(), open()];
    expect(await client.multi().set('of:ioredis', '1').incr('of:ioredis').exec()).toStrictEqual([
      [null, 'OK'],
      [null, 2],
    ]);
    const waiting = other.blpop('of:ioredis:list', 5);
    const many = await client
      .pipeline(Array.from({ length: 500 }, (_each, index) => ['set', `of:ioredis:${index % 10}`, String(index)]))
      .exec();
    expect(many?.every(([error]) => error === null)).toBe(true);
    await client.rpush('of:ioredis:list', 'x');
    expect(await waiting).toStrictEqual(['of:ioredis:list', 'x']);
    const heard = new Promise((resolve) => other.once('message', (_channel, text) => resolve(text)));
    await other.subscribe('news');
    await client.publish('news', 'hello');
    expect(await heard).toBe('hello');
    await expect(client.eval('return 1', 0)).rejects.toThrow('EVAL is denied');
  });

  test.each([2, 3] as const)('node-redis speaks RESP%i', async (version) => {
    const { front, phantom } = await brokered();
    const client = createClient({
      url: `redis://default:${phantom}@127.0.0.1:${front.port}`,
      RESP: version,
      name: 'me',
    });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.destroy());
    await client.hSet('of:node', { field: 'value' });
    expect({ ...(await client.hGetAll('of:node')) }).toStrictEqual({ field: 'value' });
    expect(await client.clientGetName()).toBe('me');
    const value = 'x'.repeat(3_000_000);
    await client.set('of:node:big', value);
    expect(await client.get('of:node:big')).toBe(value);
  });

  test('redis-benchmark, without any value in the journal and without one event for each command', async () => {
    const { front, phantom } = await brokered();
    await run('redis-benchmark', [
      '-p',
      String(front.port),
      '-a',
      phantom,
      '-P',
      '16',
      '-n',
      '20000',
      '-t',
      'set,get',
      '-q',
    ]);
    await expect.poll(() => front.serving).toBe(0);
    const statements = front.events.filter((event) => event.kind === 'statement');
    const counted = statements
      .filter(({ text }) => /^(?:GET|SET)/u.test(text))
      .reduce((sum, { count = 1 }) => sum + count, 0);
    expect(counted).toBeGreaterThanOrEqual(40_000);
    expect(statements.length).toBeLessThan(2000);
    expect(JSON.stringify(front.events)).not.toContain('xxx');
  });

  test('accepts all commands at once, and then the end of the stream', async () => {
    const { front, phantom } = await brokered();
    const raw = await rawConnection(front.port);
    raw.socket.end(`AUTH ${phantom}\r\nSET "of inline" "a b"\r\n${resp('GET', 'of inline')}`);
    expect(await raw.ended()).toBe('+OK\r\n+OK\r\n$3\r\na b\r\n');
  });
});

withRedis('the login', () => {
  test.each([
    ['AUTH', (phantom: string) => resp('AUTH', phantom), '+OK\r\n'],
    ['AUTH with a user', (phantom: string) => resp('AUTH', 'app', phantom), '+OK\r\n'],
    ['auth inline', (phantom: string) => `auth ${phantom}\r\n`, '+OK\r\n'],
    [
      'HELLO 3',
      (phantom: string) => resp('HELLO', '3', 'AUTH', 'default', phantom, 'SETNAME', 'me'),
      '$5\r\nproto\r\n:3\r\n',
    ],
    [
      'HELLO 2',
      (phantom: string) => resp('hello', '2', 'setname', 'me', 'auth', 'default', phantom),
      '$5\r\nproto\r\n:2\r\n',
    ],
  ])('accepts the phantom by %s', async (_name, login, answer) => {
    const { front, phantom, context } = await brokered();
    const raw = await rawConnection(front.port);
    onTestFinished(() => raw.close());
    raw.send(login(phantom) + resp('PING'));
    expect(await raw.heard('+PONG')).toContain(answer);
    expect(context.uses).toHaveLength(1);
    expect(front.events[0]).toMatchObject({ kind: 'session', mode: 'read-write' });
  });

  test.each([
    ['nothing', resp('GET', 'text'), '-NOAUTH'],
    ['a HELLO without AUTH', resp('HELLO', '3'), '-NOAUTH'],
    ['another password', resp('AUTH', 'guess-EXAMPLE'), '-WRONGPASS'],
    ['the real password', resp('AUTH', realPassword), '-WRONGPASS'],
    ['another password in HELLO', resp('HELLO', '3', 'AUTH', 'default', 'guess-EXAMPLE'), '-WRONGPASS'],
    ['another version', resp('HELLO', '4'), '-NOPROTO'],
    ['too many arguments', resp('AUTH', 'a', 'b', 'c'), '-ERR wrong number of arguments'],
    ['unbalanced quotes', 'AUTH "x\r\n', '-ERR Protocol error: unbalanced quotes'],
    ['no command', '*1\r\n+PING\r\n', '-ERR Protocol error'],
    ['a login without end', `*2\r\n$4\r\nAUTH\r\n$16000\r\n${'x'.repeat(17_000)}`, '-ERR Protocol error'],
  ])('rejects a client that says %s, and reaches no server', async (_name, sent, answer) => {
    const { front, context } = await brokered();
    const raw = await rawConnection(front.port);
    onTestFinished(() => raw.close());
    raw.send(sent);
    expect(await raw.heard('\r\n')).toContain(answer);
    expect(front.dials).toHaveLength(0);
    expect(context.reads).toHaveLength(0);
  });

  test('of a stranger is an alarm, and the eighth is the last', async () => {
    const { front, context } = await brokered();
    const raw = await rawConnection(front.port);
    raw.send(resp('AUTH', 'guess-EXAMPLE').repeat(20));
    expect((await raw.ended()).match(/-WRONGPASS/gu)).toHaveLength(8);
    expect(context.alarms).toHaveLength(8);
    expect(context.alarms[0]).toMatchObject({ kind: 'foreign-credential', credential: '', place: 'the login' });
    expect(front.refusals[0]).toMatchObject({ code: 'foreign-credential' });
  });

  test('with a revoked credential fails', async () => {
    const { front, phantom, context } = await brokered();
    context.registry.revoke('cache');
    expect(await cli(front.port, ['PING'], phantom)).toContain('WRONGPASS');
    expect(context.alarms[0]).toMatchObject({ kind: 'phantom-revoked', credential: 'cache' });
  });

  test('with another credential’s phantom fails', async () => {
    const [credential, other] = [
      redisCredential(),
      redisCredential({}, { name: 'other', hosts: ['other.example.com:6379'] }),
    ];
    const context = testContext({ credentials: [credential, other] });
    const front = await startFront({
      broker: createRedisBroker(credential, context),
      host,
      destinationPort: 6379,
      port: server.port,
    });
    onTestFinished(() => front.stop());
    expect(await cli(front.port, ['PING'], context.phantom('other'))).toContain('WRONGPASS');
    expect(context.alarms[0]).toMatchObject({ kind: 'phantom-unbound', credential: 'other' });
    expect(context.reads).toHaveLength(0);
  });

  test('sends no secret to a server whose certificate is not trusted', async () => {
    const { cli, context } = await brokered({
      injection: { tls: 'verify-full' },
      front: { port: server.tlsPort ?? 0, roots: [] },
    });
    expect(await cli('PING')).toContain('AUTH failed: ERR holdfast: the certificate of cache.example.com');
    expect(context.uses).toHaveLength(0);
  });

  test('sends no secret to a server without TLS', async () => {
    const listener = await listen((socket) => socket.end('-ERR Protocol error\r\n'));
    const { cli, context } = await brokered({ injection: { tls: 'verify-full' }, front: { port: listener.port } });
    expect(await cli('PING')).toContain('AUTH failed: ERR holdfast:');
    expect(listener.heard().length).toBeGreaterThan(0);
    expect(listener.heard()).not.toContain(realPassword);
    expect(context.uses).toHaveLength(0);
  });

  test.each([
    ['breaks off', (socket: Socket) => void socket.destroy(), 'the connection to the server broke during the login'],
    ['ends', (socket: Socket) => void socket.end(), 'the connection to the server broke during the login'],
    [
      'repeats its input',
      (socket: Socket) =>
        void socket.write(`-ERR unknown command 'AUTH', with args beginning with: '${realPassword}'\r\n`),
      'the server refused the secret of the credential "cache" (ERR)',
    ],
    [
      'is no Redis',
      (socket: Socket) => void socket.write(`HTTP/1.1 400 ${realPassword}\r\n\r\n`),
      'not a Redis answer',
    ],
    ['says more than a line', (socket: Socket) => void socket.write('x'.repeat(10_000)), 'not a Redis answer'],
  ])('tells the client that the server %s, in Holdfast’s words', async (_name, answer, words) => {
    const listener = await listen(answer);
    const { cli, context } = await brokered({ front: { port: listener.port } });
    const said = await cli('PING');
    expect(said).toContain(words);
    expect(said).not.toContain(realPassword);
    expect(context.uses).toHaveLength(0);
  });

  test.each([
    [
      'a secret that the server refuses',
      { kind: 'secret', secret: { value: 'stale-EXAMPLE', fields: {} } },
      'WRONGPASS holdfast: the server refused the secret of the credential "cache"',
    ],
    [
      'a secret of several lines',
      { kind: 'secret', secret: { value: 'two\r\nFLUSHALL', fields: {} } },
      'has several lines',
    ],
    [
      'no secret',
      { kind: 'unavailable', message: 'the keyring is locked', remedy: 'unlock it' },
      'the keyring is locked: unlock it',
    ],
  ] as const)('reports the error of %s', async (_name, secret, words) => {
    const { cli, front } = await brokered({ secret });
    expect(await cli('PING')).toContain(words);
    expect(front.refusals[0]).toMatchObject({ code: 'credential-unavailable' });
  });

  test('works again in the same session, with the phantom alone', async () => {
    const { raw: open, phantom, context } = await brokered();
    const raw = await open();
    raw.send(
      resp('AUTH', 'guess-EXAMPLE') +
        resp('HELLO', '3', 'AUTH', 'default', phantom) +
        resp('AUTH', phantom) +
        resp('ECHO', 'end'),
    );
    const said = await raw.heard('end');
    expect(said).toContain('holdfast: WRONGPASS');
    expect(said).toContain(':3\r\n');
    expect(context.alarms).toHaveLength(1);
  });
});

withRedis('passing data', () => {
  test('a phantom anywhere else ends the connection before the command arrives', async () => {
    const { raw: open, phantom, context } = await brokered();
    const raw = await open();
    raw.send(resp('SET', 'of:phantom', 'before') + resp('SET', 'of:phantom', `key=${phantom}`));
    expect(await raw.ended()).toContain(
      '-ERR holdfast: a command or an answer of Redis held the phantom of the credential "cache"',
    );
    expect(server.admin('GET', 'of:phantom')).not.toContain(phantom);
    expect(context.alarms[0]).toMatchObject({ kind: 'phantom-misplaced', credential: 'cache' });
  });

  test('the real secret in an answer is masked', async () => {
    const { cli, context } = await brokered();
    server.admin('SET', 'of:leak', `password=${realPassword}`);
    expect(await cli('GET', 'of:leak')).toMatch(/^password=\*+$/u);
    expect(context.alarms[0]).toMatchObject({ kind: 'secret-reflected' });
    server.admin('DEL', 'of:leak');
  });

  test('a denied command is answered in its turn', async () => {
    const { raw: open } = await brokered();
    const raw = await open();
    raw.send(
      resp('ECHO', 'one') +
        resp('CONFIG', 'GET', '*') +
        resp('ECHO', 'two') +
        resp('no such command', 'x') +
        resp('ECHO', 'three'),
    );
    expect((await raw.heard('three')).trim().replaceAll(/-ERR[^\r]*/gu, '-ERR')).toBe(
      '+OK\r\n$3\r\none\r\n-ERR\r\n$3\r\ntwo\r\n-ERR\r\n$5\r\nthree',
    );
  });

  test('a transaction with a denied command is aborted', async () => {
    const { raw: open } = await brokered();
    const raw = await open();
    raw.send(
      resp('MULTI') + resp('SET', 'of:multi', 'x') + resp('ACL', 'LIST') + resp('EXEC') + resp('EXISTS', 'of:multi'),
    );
    expect(await raw.heard(':0')).toMatch(/-EXECABORT/u);
  });

  test('names and first keys go to the journal, even of denied commands, and no values', async () => {
    const { cli, front } = await brokered();
    await cli('SET', 'of:journal', 'worth-EXAMPLE');
    await cli('OBJECT', 'ENCODING', 'of:journal');
    await cli('CONFIG', 'SET', 'maxclients', '999');
    await cli('NO-SUCH', 'of:journal');
    const told = front.events.flatMap((event) =>
      event.kind === 'statement' && !event.text.startsWith('COMMAND') ? [`${event.decision} ${event.text}`] : [],
    );
    expect(told).toStrictEqual([
      'allow SET of:journal',
      'allow OBJECT ENCODING of:journal',
      'deny CONFIG SET',
      'deny (unknown command)',
    ]);
  });

  test('commands of the credential narrow the allowed ones', async () => {
    const { cli } = await brokered({ injection: { commands: ['GET', 'EVAL', 'OBJECT', 'CONFIG GET'] } });
    expect(await cli('SET', 'a', 'b')).toContain('it is not in commands');
    expect(await cli('EVAL', 'return 7', '0')).toBe('7');
    expect(await cli('OBJECT', 'ENCODING', 'number')).not.toContain('denied');
    expect(await cli('CONFIG', 'GET', 'maxclients')).toContain('denied');
  });
});

withRedis('the read-only mode', () => {
  /** All data that an attack may change. The digest covers all databases. */
  const fingerprint = (): string =>
    server
      .adminAll([
        ['DEBUG', 'DIGEST'],
        ['XINFO', 'STREAM', 'stream', 'FULL'],
        ['CONFIG', 'GET', 'maxclients'],
        ['FUNCTION', 'LIST'],
        ['ACL', 'LIST'],
        ['PEXPIRETIME', 'fading'],
        ['ROLE'],
      ])
      .replaceAll(/^.*(?:seen-time|lag).*\n.*$/gmu, '');
  const fix = (): void => void server.adminAll(batteryFixture);

  test(`rejects ${readOnlyAttacks.length} attempts`, async () => {
    const { front, phantom } = await brokered({ injection: { mode: 'read-only' } });
    fix();
    let before = fingerprint();
    const through: string[] = [];
    for (const { name, sent } of readOnlyAttacks) {
      const raw = await rawConnection(front.port);
      raw.send(resp('AUTH', phantom) + sent + resp('QUIT'));
      await Promise.race([raw.ended(), new Promise((resolve) => setTimeout(resolve, 150))]);
      raw.close();
      const after = fingerprint();
      if (after !== before) through.push(name);
      before = after;
    }
    expect(through).toStrictEqual([]);
  }, 120_000);

  test('these attempts have an effect without it', async () => {
    const without: string[] = [];
    const changing = readOnlyAttacks.filter(({ control }) => control === 'changes');
    expect(changing.length).toBeGreaterThan(60);
    for (const { name, sent } of changing) {
      fix();
      const before = fingerprint();
      const raw = await rawConnection(server.port);
      raw.send(resp('AUTH', realPassword) + sent + resp('QUIT'));
      await Promise.race([raw.ended(), new Promise((resolve) => setTimeout(resolve, 150))]);
      raw.close();
      if (fingerprint() === before) without.push(name);
    }
    expect(without).toStrictEqual([]);
  }, 180_000);

  test.each(readOnlyUses.map((args) => [args.join(' '), args] as const))('allows %s', async (_name, args) => {
    fix();
    const { cli } = await brokered({ injection: { mode: 'read-only' } });
    expect(await cli('-e', ...args)).not.toContain('denied');
  });
});

withRedis('the table of commands', () => {
  type Told = readonly [
    name: string,
    arity: number,
    flags: readonly string[],
    first: number,
    last: number,
    step: number,
    categories: readonly string[],
    ...unknown[],
  ];

  test('describes each command as the server does', async () => {
    const told = JSON.parse(server.admin('-2', '--json', 'COMMAND')) as readonly Told[];
    const flat = told.flatMap((each) =>
      (each[9] as readonly Told[]).length > 0 ? (each[9] as readonly Told[]) : [each],
    );
    const known = new Map(redisCommands.map((command) => [command.name, command]));
    const wrong = flat.filter(([name, , flags, first]) => {
      const command = known.get(name.toUpperCase());
      if (command === undefined) return true;
      const mayRead =
        !flags.includes('write') &&
        !flags.includes('admin') &&
        !/^(?:eval|fcall|script|function|s?publish)/u.test(name);
      // Cluster clients request the replicas.
      const isAllowed = command.access === 'read' || command.access === 'session';
      const position = name.includes('|') ? 2 : 1;
      return (
        (isAllowed && !mayRead && !/^(?:script\|exists|cluster\|(?:replicas|slaves))$/u.test(name)) ||
        (command.key === 'first' && first !== position)
      );
    });
    expect(wrong.map(([name]) => name)).toStrictEqual([]);
  });

  test('names each command once', () => {
    expect(new Set(redisCommands.map(({ name }) => name)).size).toBe(redisCommands.length);
  });
});

withRedis('a phantom of the password', () => {
  // Attack: other clients read client names in CLIENT LIST.
  test.each([
    [
      'the name of the client, in a login',
      (phantom: string) => [resp('HELLO', '3', 'AUTH', 'default', phantom, 'SETNAME', phantom)],
    ],
    [
      'a part of that name',
      (phantom: string) => [resp('HELLO', '3', 'SETNAME', `me-${phantom}-me`, 'AUTH', 'default', phantom)],
    ],
    ['the user', (phantom: string) => [resp('AUTH', phantom, phantom)]],
    [
      'the name of the client, in a second HELLO',
      (phantom: string) => [resp('AUTH', phantom), resp('HELLO', '3', 'SETNAME', phantom)],
    ],
    [
      'that name in base64',
      (phantom: string) => [
        resp('AUTH', phantom),
        resp('HELLO', '3', 'SETNAME', Buffer.from(phantom).toString('base64')),
      ],
    ],
  ])('does not reach the server as %s', async (_, messages) => {
    const { front, context, phantom } = await brokered();
    const raw = await rawConnection(front.port);
    onTestFinished(() => raw.close());
    for (const message of messages(phantom)) raw.send(message);
    expect(await raw.heard('a name ')).toContain('a name ');
    expect(server.admin('CLIENT', 'LIST')).not.toContain(phantom);
    expect(context.alarms).toMatchObject([{ kind: 'phantom-misplaced', place: 'a name in a login of Redis' }]);
    expect(front.refusals).toMatchObject([{ code: 'phantom-misused' }]);
  });
});
