import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresBroker } from '../src/credentials/postgres/serve-client.ts';
import type { PostgresCredential } from '../src/credentials/postgres/types.ts';
import { prepareArena, type Arena } from '../src/credentials/postgres/testing/battery.ts';
import {
  postgresCredential,
  realPassword,
  testContext,
  type TestContext,
} from '../src/credentials/postgres/testing/context.ts';
import { type Front, type FrontOptions, startFront } from '../src/credentials/postgres/testing/front.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../src/credentials/postgres/testing/postgres.ts';
import {
  answerOf,
  batch,
  bind,
  describePortal,
  execute,
  flush,
  lettersOf,
  parse,
  rawSession,
  type RawSession,
  sync,
} from '../src/credentials/postgres/testing/raw-session.ts';
import { readOnlyAttacks, readOnlyUses } from '../src/credentials/postgres/testing/read-only-battery.ts';
import { judgeSql } from '../src/credentials/postgres/read-only/check.ts';
import { cancelRequest, queryMessage } from '../src/credentials/postgres/protocol/types.ts';
import { createAuthority } from '../src/egress/tls/authority.ts';
import { identity } from '../src/egress/tls/testing/servers.ts';
import type { SecretRead } from '../src/credentials/types.ts';

const run = promisify(execFile);
const isThere = postgresPrograms() !== undefined;
// A machine without PostgreSQL reports that: scripts/install-test-packages.sh installs it.
const withPostgres = describe.skipIf(!isThere);

let server: PostgresServer;
const authority = createAuthority();

beforeAll(async () => {
  if (!isThere) return;
  server = await startPostgres({
    tls: identity(authority, 'db.example.com'),
    hba: [
      'host all old all md5',
      'host all clear all password',
      'host all guest all trust',
      'hostssl all secure all scram-sha-256',
      'hostnossl all secure all reject',
    ],
    settings: { max_prepared_transactions: '5' },
  });
  server.admin(`
    ${['app', 'secure', 'guest', 'clear'].map((role) => `CREATE ROLE ${role} LOGIN PASSWORD '${realPassword}'; GRANT CREATE ON SCHEMA public TO ${role};`).join('\n')}
    CREATE ROLE boss SUPERUSER LOGIN PASSWORD '${realPassword}';
    SET password_encryption = 'md5';
    CREATE ROLE old LOGIN PASSWORD '${realPassword}';`);
  server.admin('CREATE DATABASE app OWNER app');
}, 60_000);

afterAll(async () => server?.stop());

interface Brokered {
  readonly front: Front;
  readonly context: TestContext;
  readonly phantom: string;
  url(user?: string, database?: string): string;
  session(user?: string, database?: string, parameters?: Readonly<Record<string, string>>): Promise<RawSession>;
  psql(...args: readonly string[]): Promise<{ readonly out: string; readonly err: string; readonly code: number }>;
}

interface Setting {
  readonly injection?: Partial<PostgresCredential['injection']>;
  readonly secret?: SecretRead;
  readonly front?: Partial<FrontOptions>;
}

async function brokered({ injection, secret, front: more }: Setting = {}): Promise<Brokered> {
  const credential = postgresCredential(injection);
  const context = testContext({ credentials: [credential], ...(secret !== undefined && { secrets: { db: secret } }) });
  const front = await startFront({
    broker: createPostgresBroker(credential, context),
    port: server.port,
    roots: [authority.certificatePem],
    ...more,
  });
  onTestFinished(() => front.stop());
  const phantom = context.phantom('db');
  return {
    front,
    context,
    phantom,
    url: (user = 'app', database = 'app') => `postgres://${user}:${phantom}@127.0.0.1:${front.port}/${database}`,
    session: async (user = 'app', database = 'app', parameters = {}) => {
      const session = await rawSession({
        port: front.port,
        user,
        password: phantom,
        parameters: { database, ...parameters },
      });
      onTestFinished(() => session.close());
      return session;
    },
    psql: (...args) => psql(['-h', '127.0.0.1', '-p', String(front.port), '-U', 'app', '-d', 'app', ...args], phantom),
  };
}

async function psql(args: readonly string[], password: string): ReturnType<Brokered['psql']> {
  try {
    const { stdout, stderr } = await run('psql', ['-X', '-A', '-t', ...args], {
      env: { PATH: process.env['PATH'], PGPASSWORD: password },
      timeout: 20_000,
    });
    return { out: stdout.trim(), err: stderr, code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as {
      readonly stdout: string;
      readonly stderr: string;
      readonly code: number;
    };
    return { out: stdout.trim(), err: stderr, code };
  }
}

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-psql-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function statements(front: Front): readonly string[] {
  return front.events.flatMap((event) =>
    event.kind === 'statement' ? [`${event.decision} ${event.text} → ${event.outcome}`] : [],
  );
}

withPostgres('a client logs in with the phantom', () => {
  test('and the server gets the real password', async () => {
    const { psql, front, context, phantom } = await brokered();
    expect(await psql('-c', "select current_user || ' of ' || current_database()")).toMatchObject({
      out: 'app of app',
      code: 0,
    });
    expect(phantom).not.toContain(realPassword);
    expect(front.events[0]).toEqual({ kind: 'session', user: 'app', database: 'app', mode: 'read-write' });
    expect(context.uses).toEqual([{ credential: 'db', destination: { host: 'db.example.com', port: 5432 } }]);
  });

  test.each([
    ['SCRAM', 'app'],
    ['MD5', 'old'],
    ['nothing at all', 'guest'],
  ])('of a server that asks for %s', async (_, user) => {
    const { session } = await brokered();
    expect((await (await session(user)).query('select current_user')).values).toEqual([user]);
  });

  test.each(['app', 'secure', 'old', 'clear'])(
    'upstream by TLS, which proves the name of the server: role %s',
    async (user) => {
      const { session } = await brokered({ injection: { tls: 'verify-full' } });
      expect(
        (
          await (
            await session(user)
          ).query("select current_user || ' ' || ssl from pg_stat_ssl where pid = pg_backend_pid()")
        ).values,
      ).toEqual([`${user} true`]);
    },
  );

  test('as the user that the credential names', async () => {
    const { session, front } = await brokered({ injection: { user: 'old' } });
    expect((await (await session('someone')).query('select current_user')).values).toEqual(['old']);
    expect(front.events[0]).toMatchObject({ user: 'old', database: 'app' });
  });

  test('by TLS with verify-full, the authority of the session and a bound channel', async () => {
    const { front, phantom } = await brokered();
    const root = join(scratch(), 'ca.pem');
    writeFileSync(root, front.certificate);
    const target = (extra: string): string =>
      `host=db.example.com hostaddr=127.0.0.1 port=${front.port} user=app dbname=app ${extra}`;
    expect(
      await psql(
        [target(`sslmode=verify-full sslrootcert=${root} channel_binding=require`), '-c', 'select 1'],
        phantom,
      ),
    ).toMatchObject({ out: '1', code: 0 });
    expect(
      (
        await psql(
          [
            target(`sslmode=verify-full sslrootcert=${root}`).replace('db.example.com', 'other.example.com'),
            '-c',
            'select 1',
          ],
          phantom,
        )
      ).err,
    ).toMatch(/does not match|unrecognized name/u);
    writeFileSync(root, authority.certificatePem);
    expect((await psql([target(`sslmode=verify-full sslrootcert=${root}`), '-c', 'select 1'], phantom)).err).toContain(
      'certificate verify failed',
    );
  });

  test('even if the client insists on SCRAM', async () => {
    const { front, phantom } = await brokered();
    expect(
      await psql(
        [
          `host=127.0.0.1 port=${front.port} user=app dbname=app sslmode=disable require_auth=scram-sha-256`,
          '-c',
          'select 1',
        ],
        phantom,
      ).then(({ out, err }) => out || err),
    ).toMatch(/^1$|invalid connection option "require_auth"/u);
  });
});

withPostgres('a client is refused', () => {
  test.each([
    [
      'with a password of its own',
      () => 'guessed-EXAMPLE',
      { kind: 'foreign-credential', credential: '' },
      'foreign-credential',
    ],
    [
      'with the real password',
      () => realPassword,
      { kind: 'foreign-credential', credential: '' },
      'foreign-credential',
    ],
    [
      'with a phantom of another session',
      () => testContext({ credentials: [postgresCredential()] }).phantom('db'),
      { kind: 'foreign-credential', credential: '' },
      'foreign-credential',
    ],
  ])('%s, before a dial', async (...[, password, alarm, code]) => {
    const { front, context } = await brokered();
    await expect(rawSession({ port: front.port, user: 'app', password: password() })).rejects.toThrow('28P01');
    expect(context.alarms).toEqual([
      { ...alarm, destination: { host: 'db.example.com', port: 5432 }, place: 'the login' },
    ]);
    expect(front.refusals).toMatchObject([{ code }]);
    expect(front.dials).toHaveLength(0);
    expect(context.reads).toHaveLength(0);
  });

  test('with a revoked phantom', async () => {
    const { front, context, phantom } = await brokered();
    context.registry.revoke('db');
    await expect(rawSession({ port: front.port, user: 'app', password: phantom })).rejects.toThrow('28P01');
    expect(context.alarms).toMatchObject([{ kind: 'phantom-revoked', credential: 'db' }]);
    expect(front.dials).toHaveLength(0);
  });

  test('if the secret cannot be read, with the reason', async () => {
    const { psql, front, context } = await brokered({
      secret: { kind: 'unavailable', message: 'the variable DATABASE_PASSWORD is not set', remedy: 'set it' },
    });
    const { err } = await psql('-c', 'select 1');
    expect(err).toContain('the variable DATABASE_PASSWORD is not set');
    expect(front.refusals[0]).toMatchObject({ code: 'credential-unavailable' });
    expect(front.dials).toHaveLength(0);
    expect(context.uses).toEqual([]);
  });

  test.each([
    ['that asks for the password in clear text without TLS', 'clear', { tls: 'disable' }, {}, 'clear text'],
    [
      'whose certificate is of someone else',
      'app',
      { tls: 'verify-full' },
      { host: 'other.example.com' },
      'other.example.com',
    ],
    ['whose authority is not trusted', 'app', { tls: 'verify-full' }, { roots: [] }, 'db.example.com'],
    [
      'that does not know the role',
      'nobody',
      { tls: 'verify-full' },
      {},
      'password authentication failed for user "nobody"',
    ],
  ] as const)('by a server %s', async (...[, user, injection, front, words]) => {
    const { psql } = await brokered({ injection, front });
    const { err, code } = await psql('-U', user, '-c', 'select 1');
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(err).not.toContain(realPassword);
  });

  test('for replication', async () => {
    const { session } = await brokered();
    await expect(session('app', 'app', { replication: 'database' })).rejects.toThrow('42501');
  });

  // Attack: other sessions see it in pg_stat_activity.
  test.each(['application_name', 'options', 'database', 'user'])(
    'with a phantom in its parameter %s, before a dial',
    async (parameter) => {
      const { session, front, context, phantom } = await brokered();
      const [user, database] = [parameter === 'user' ? phantom : 'app', parameter === 'database' ? phantom : 'app'];
      await expect(session(user, database, { [parameter]: phantom })).rejects.toThrow('42501');
      expect(context.alarms).toMatchObject([{ kind: 'phantom-misplaced', credential: 'db' }]);
      expect(front.refusals).toMatchObject([{ code: 'phantom-misused' }]);
      expect(front.dials).toHaveLength(0);
    },
  );

  test('in the server’s own words, unless they contain a secret', async () => {
    const { psql } = await brokered();
    expect((await psql('-d', 'missing', '-c', 'select 1')).err).toContain('database "missing" does not exist');
  });
});

withPostgres('ordinary work of clients', () => {
  test('psql: several statements, notices, errors, descriptions', async () => {
    const { psql, front } = await brokered();
    const { out, err } = await psql(
      '-c',
      'create table if not exists seen (a int)',
      '-c',
      'create table if not exists seen (a int)',
      '-c',
      'insert into seen values (1), (2); select count(*) from seen',
      '-c',
      '\\d seen',
      '-c',
      'selec',
    );
    expect(out).toContain('2');
    expect(err).toContain('NOTICE:  relation "seen" already exists, skipping');
    expect(err).toContain('syntax error at or near "selec"');
    expect(statements(front)).toEqual(
      expect.arrayContaining([
        'allow insert into seen values (1), (2); select count(*) from seen → INSERT 0 2, SELECT 1',
        'allow selec → ERROR 42601',
      ]),
    );
  });

  test('COPY in and out, of 20 MB', async () => {
    const { front, phantom } = await brokered();
    const client = new Client({ connectionString: `postgres://app:${phantom}@127.0.0.1:${front.port}/app` });
    await client.connect();
    await client.query('create table if not exists copied (a int, b text); truncate copied');
    await client.end();
    const rows = Array.from({ length: 200_000 }, (_, index) => `${index}\t${'x'.repeat(90)}${index}\n`).join('');
    const feed = spawn(
      'psql',
      ['-X', '-h', '127.0.0.1', '-p', String(front.port), '-U', 'app', '-d', 'app', '-c', 'copy copied from stdin'],
      { env: { PATH: process.env['PATH'], PGPASSWORD: phantom }, stdio: ['pipe', 'ignore', 'inherit'] },
    );
    feed.stdin.end(rows);
    expect(await new Promise((resolve) => feed.once('close', resolve))).toBe(0);
    const { stdout } = await run(
      'psql',
      [
        '-X',
        '-h',
        '127.0.0.1',
        '-p',
        String(front.port),
        '-U',
        'app',
        '-d',
        'app',
        '-c',
        'copy (select * from copied order by a) to stdout',
      ],
      { env: { PATH: process.env['PATH'], PGPASSWORD: phantom }, maxBuffer: 1 << 26 },
    );
    expect(stdout === rows).toBe(true);
    expect(statements(front)).toContain('allow copy copied from stdin → COPY 200000');
  });

  test('COPY in the extended protocol: a Sync within the data is ignored, and nothing gets out of step', async () => {
    const { session, front } = await brokered();
    const client = await session();
    await client.query('create temp table c (a int)');
    const data = (text: string): Buffer =>
      Buffer.concat([Buffer.from('d'), Buffer.from([0, 0, 0, 4 + text.length]), Buffer.from(text)]);
    const done = Buffer.from('6300000004', 'hex');
    client.send(parse('copy c from stdin'), bind(), execute(), sync);
    client.send(data('1\n'), sync, data('2\n'), done, sync);
    expect(lettersOf(await client.ready())).toBe('12GCZ');
    client.send(
      parse('copy c from stdin'),
      bind(),
      execute(),
      data('3\n'),
      done,
      sync,
      queryMessage('select count(*) from c'),
    );
    expect(lettersOf(await client.ready(2))).toBe('12GCZTDCZ');
    client.send(
      parse('copy c from stdin'),
      bind(),
      execute(),
      data('x\n'),
      done,
      sync,
      queryMessage('select count(*) from c'),
    );
    expect(lettersOf(await client.ready(2))).toBe('12GEZTDCZ');
    expect(statements(front).slice(-4)).toEqual([
      'allow copy c from stdin → COPY 1',
      'allow select count(*) from c → SELECT 1',
      'allow copy c from stdin → ERROR 22P02',
      'allow select count(*) from c → SELECT 1',
    ]);
  });

  test('large objects', async () => {
    const { session } = await brokered();
    const client = await session();
    expect(
      (await client.query("begin; select lo_from_bytea(471100, 'some bytes'); select length(lo_get(471100)); rollback"))
        .values,
    ).toEqual(['471100', '10']);
  });

  test('notifications between sessions', async () => {
    const { url } = await brokered();
    const [listener, speaker] = [new Client(url()), new Client(url())];
    await Promise.all([listener.connect(), speaker.connect()]);
    const heard = new Promise((resolve) =>
      listener.once('notification', ({ channel, payload }) => resolve([channel, payload])),
    );
    await listener.query('listen news');
    await speaker.query("select pg_notify('news', 'hello')");
    expect(await heard).toEqual(['news', 'hello']);
    await Promise.all([listener.end(), speaker.end()]);
  });

  test('pg: parameters, named statements, transactions, a pool', async () => {
    const { url, front } = await brokered();
    const pool = new Pool({ connectionString: url(), max: 4 });
    const named = { name: 'double', text: 'select $1::int * 2 as twice', values: [21] };
    const results = await Promise.all(Array.from({ length: 40 }, () => pool.query<{ readonly twice: number }>(named)));
    expect(results.every(({ rows }) => rows[0]?.twice === 42)).toBe(true);
    await expect(pool.query('select $1::int', ['no number'])).rejects.toMatchObject({ code: '22P02' });
    await pool.end();
    expect(statements(front).filter((line) => line === 'allow select $1::int * 2 as twice → SELECT 1')).toHaveLength(
      40,
    );
    expect(statements(front)).toContain('allow select $1::int → ERROR 22P02');
  });

  test('postgres.js: pipelines, transactions, cursors, COPY', async () => {
    const { url } = await brokered();
    const sql = postgres(url(), { max: 2, onnotice: () => undefined });
    const many = await Promise.all(Array.from({ length: 100 }, (_, index) => sql`select ${index}::int as value`));
    expect(many.map(([row]) => row?.['value'] as number)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    await sql.begin(async (inside) => {
      await inside`create temp table t (a int) on commit drop`;
      await inside`insert into t ${inside([{ a: 1 }, { a: 2 }, { a: 3 }])}`;
      const seen: unknown[] = [];
      await inside`select a from t order by a`.cursor(2, (rows) => void seen.push(rows.length));
      expect(seen).toEqual([2, 1]);
    });
    await expect(sql`select 1/0`).rejects.toMatchObject({ code: '22012' });
    await sql.end();
  });

  test('statements as Prisma sends them: prepared with a name and described, run in other turns, pipelined', async () => {
    const { session, front } = await brokered();
    const client = await session();
    client.send(parse('select $1::int4', 's0'), Buffer.from('440000000853733000', 'hex'), sync);
    expect(lettersOf(await client.ready())).toBe('1tTZ');
    const value = (number: string): Buffer =>
      Buffer.concat([
        Buffer.from('B'),
        Buffer.from([0, 0, 0, 4 + 1 + 3 + 2 + 2 + 4 + number.length + 2]),
        Buffer.from('\0s0\0'),
        Buffer.from([0, 0, 0, 1, 0, 0, 0, number.length]),
        Buffer.from(number),
        Buffer.from([0, 0]),
      ]);
    client.send(...Array.from({ length: 50 }, (_, index) => Buffer.concat([value(String(index)), execute(), sync])));
    expect(answerOf(await client.ready(50)).values).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));
    expect(statements(front).filter((line) => line === 'allow select $1::int4 → SELECT 1')).toHaveLength(50);
  });

  test('a Flush in place of a Sync, and a portal that is read in parts', async () => {
    const { session } = await brokered();
    const client = await session();
    client.send(parse('select generate_series(1, 5)'), bind(), describePortal(), flush);
    for (const letter of '12T') expect(String.fromCharCode((await client.reader.next(1024)).type)).toBe(letter);
    client.send(execute('', 2), execute('', 2), execute('', 2), sync);
    expect(lettersOf(await client.ready())).toBe('DDsDDsDCZ');
  });

  test.each(['simple', 'extended', 'prepared'])('pgbench -M %s, reading and writing', async (mode) => {
    const { front, phantom } = await brokered();
    const env = { PATH: process.env['PATH'], PGPASSWORD: phantom };
    const target = ['-h', '127.0.0.1', '-p', String(front.port), '-U', 'app'];
    await run('pgbench', [...target, '-i', '-q', 'app'], { env });
    const { stdout } = await run('pgbench', [...target, '-n', '-c', '2', '-t', '50', '-M', mode, 'app'], { env });
    expect(stdout).toContain('number of transactions actually processed: 100/100');
    expect(stdout).toContain('number of failed transactions: 0');
  });
});

withPostgres('cancelling', () => {
  test('psql stops its statement with an interrupt', async () => {
    const { front, phantom } = await brokered();
    const child = spawn(
      'psql',
      ['-X', '-h', '127.0.0.1', '-p', String(front.port), '-U', 'app', '-d', 'app', '-c', 'select pg_sleep(20)'],
      { env: { PATH: process.env['PATH'], PGPASSWORD: phantom }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
    await expect
      .poll(() =>
        server.admin(
          "select count(*) from pg_stat_activity where query like '%pg_sleep(20)' and state = 'active' and usename = 'app'",
        ),
      )
      .toBe('1');
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('close', resolve));
    expect(words).toContain('canceling statement due to user request');
  });

  test.each(['disable', 'verify-full'] as const)(
    'the client’s key differs from the server’s, and a forged one does nothing: tls %s',
    async (tls) => {
      const { session, front } = await brokered({ injection: { tls } });
      const client = await session(tls === 'disable' ? 'app' : 'secure');
      const key = client.key?.body ?? Buffer.alloc(0);
      expect((await client.query('select pg_backend_pid()')).values).toEqual([String(key.readInt32BE(0))]);
      client.send(queryMessage('select pg_sleep(20)'));
      const dials = front.dials.length;
      await cancelBy(front, key.readInt32BE(0), Buffer.from([1, 2, 3, 4]));
      await cancelBy(front, key.readInt32BE(0) + 1, key.subarray(4));
      expect(front.dials).toHaveLength(dials);
      await cancelBy(front, key.readInt32BE(0), key.subarray(4));
      expect(answerOf(await client.ready()).errors).toEqual(['57014']);
      // The key has ended with its connection.
      client.close();
      await expect.poll(() => front.serving).toBe(0);
      const before = front.dials.length;
      await cancelBy(front, key.readInt32BE(0), key.subarray(4));
      expect(front.dials).toHaveLength(before);
    },
  );

  test('a cancel request does not hit a later statement', async () => {
    const { session, front } = await brokered({ injection: { mode: 'read-only' } });
    const client = await session();
    const watcher = await session();
    const key = client.key?.body ?? Buffer.alloc(0);
    const waitsFor = async (): Promise<unknown> =>
      (await watcher.query(`select wait_event from pg_stat_activity where pid = ${key.readInt32BE(0)}`)).values;
    for (let round = 0; round < 20; round += 1) {
      client.send(queryMessage('select pg_sleep(20)'));
      await expect.poll(waitsFor, { interval: 5 }).toEqual(['PgSleep']);
      const cancelled = cancelBy(front, key.readInt32BE(0), key.subarray(4));
      expect(answerOf(await client.ready()).errors).toEqual(['57014']);
      expect((await client.query('select 1')).values).toEqual(['1']);
      await cancelled;
    }
  });
});

async function cancelBy(front: Front, processId: number, key: Buffer): Promise<void> {
  const { connect } = await import('node:net');
  const socket = connect(front.port, '127.0.0.1');
  socket.end(cancelRequest(processId, key));
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

withPostgres('limits of an answer', () => {
  test.each([
    ['rows', { maxRows: 10 }, 'select generate_series(1, 1000000)', 'max_rows'],
    ['bytes', { maxBytes: 5000 }, "select repeat('x', 1000) from generate_series(1, 100000)", 'max_bytes'],
    ['lines of a COPY', { maxRows: 10 }, 'copy (select generate_series(1, 1000000)) to stdout', 'max_rows'],
  ])(
    '%s: the statement ends with an error that says so, and the connection continues',
    async (...[, injection, sql, words]) => {
      const { session, front, psql } = await brokered({ injection });
      const client = await session();
      for (let round = 0; round < 3; round += 1) {
        expect((await client.query(sql)).errors).toEqual(['54000']);
        expect((await client.query('select 7')).values).toEqual(['7']);
        client.send(batch(sql), batch('select 8'));
        const answer = answerOf(await client.ready(2));
        expect([answer.errors[0], answer.status]).toEqual(['54000', 'I']);
      }
      expect((await psql('-c', sql)).err).toContain(words);
      expect(statements(front)).toContain(`allow ${sql} → ERROR 54000`);
    },
  );

  test('an answer within the limit is complete', async () => {
    const { session } = await brokered({ injection: { maxRows: 10 } });
    const client = await session();
    expect((await client.query('select generate_series(1, 10)')).values).toHaveLength(10);
    expect((await client.query('select generate_series(1, 10); select generate_series(1, 10)')).values).toHaveLength(
      20,
    );
    expect((await client.query('begin; select generate_series(1, 11); commit')).errors).toEqual(['54000']);
    expect(['I', 'E']).toContain((await client.query('rollback')).status);
  });
});

withPostgres('secrets and phantoms in passing data', () => {
  test('a phantom in a statement, a parameter or data ends the connection, and is not sent', async () => {
    const texts: readonly ((phantom: string) => readonly Buffer[])[] = [
      (phantom) => [queryMessage(`create role thief password '${phantom}'`)],
      (phantom) => [parse(`select '${phantom}'`), bind(), execute(), sync],
      (phantom) => [queryMessage(`select decode('${Buffer.from(phantom).toString('hex')}', 'hex')`)],
    ];
    for (const messages of texts) {
      const { session, context, phantom, front } = await brokered();
      const client = await session();
      client.send(...messages(phantom));
      await expect(client.ready()).rejects.toThrow('it ended the connection');
      expect(context.alarms).toMatchObject([
        { kind: 'phantom-misplaced', credential: 'db', place: 'a message of the database' },
      ]);
      expect(front.refusals).toMatchObject([{ code: 'phantom-misused' }]);
      expect(statements(front)).toEqual([]);
    }
    expect(server.admin("select count(*) from pg_roles where rolname = 'thief'")).toBe('0');
  });

  test('the real secret is masked in the server’s output, even between chunks', async () => {
    const { session, context } = await brokered();
    const client = await session();
    const half = realPassword.length / 2;
    const reveal = `select repeat('x', n) || '${realPassword.slice(0, half)}' || '${realPassword.slice(half)}' from generate_series(65400, 65600) n`;
    const { values } = await client.query(reveal);
    expect(values).toHaveLength(201);
    expect(values.every((value) => value?.endsWith('*'.repeat(realPassword.length - 3)))).toBe(true);
    expect(context.alarms.every(({ kind }) => kind === 'secret-reflected')).toBe(true);
    expect(context.alarms.length).toBeGreaterThan(0);
  });
});

withPostgres('a read-only session', () => {
  let arena: Arena;
  let front: Front;
  let phantom: string;

  beforeAll(async () => {
    arena = prepareArena(server);
    const credential = postgresCredential({ mode: 'read-only' });
    const context = testContext({ credentials: [credential] });
    front = await startFront({ broker: createPostgresBroker(credential, context), port: server.port });
    phantom = context.phantom('db');
  }, 60_000);
  afterAll(() => front.stop());

  const parameters = { database: 'postgres' };
  const open = (): Promise<RawSession> => rawSession({ port: front.port, user: 'app', password: phantom, parameters });

  test.each(readOnlyAttacks)('$name has no effect', async (attack) => {
    const outcomes = await arena.run(attack, { port: front.port, user: 'app', password: phantom, parameters });
    expect(arena.effect()).toBe('none');
    expect(outcomes.some((outcome) => outcome !== 'ok')).toBe(true);
  });

  test('the control: with only the session’s default, a third of them have an effect', async () => {
    const effective: string[] = [];
    for (const attack of readOnlyAttacks) {
      await arena.run(attack, {
        port: server.port,
        user: 'app',
        password: realPassword,
        parameters: { ...parameters, default_transaction_read_only: 'on' },
      });
      if (arena.effect() === 'some') effective.push(attack.name);
    }
    expect(readOnlyAttacks.length).toBeGreaterThanOrEqual(60);
    expect(effective).toEqual(
      expect.arrayContaining([
        'explain analyze of create table as',
        'copy to a program',
        'a carriage return ends a comment',
        'session characteristics in comments',
        'set_config with Unicode escapes',
        'a function sets the default',
        'a function sets the default, and a commit follows in a batch',
        'a procedure that commits',
        'dblink in a text that is run',
        'a large object',
      ]),
    );
    expect(effective.length).toBeGreaterThanOrEqual(30);
  }, 120_000);

  test.each(readOnlyUses)('allows: %s', async (sql) => {
    const client = await open();
    await client.query('PREPARE p(int) AS SELECT $1');
    if (sql.startsWith('PREPARE')) await client.query('DEALLOCATE p');
    expect((await client.query(sql)).errors).toEqual([]);
    client.close();
  });

  test('a refused statement leaves the connection usable, in its turn', async () => {
    const client = await open();
    client.send(queryMessage('select 1'), queryMessage('delete from public.accounts'), queryMessage('select 2'));
    expect(lettersOf(await client.ready(3))).toBe('TDCZEZTDCZ');
    client.send(
      parse('select 1'),
      bind(),
      execute(),
      parse('delete from public.accounts'),
      bind(),
      execute(),
      sync,
      batch('select 2'),
    );
    expect(lettersOf(await client.ready(2))).toBe('12DCEZ12DCZ');
    client.send(parse('select 1'), bind(), execute(), parse('vacuum'), flush);
    for (const letter of '12DCE') expect(String.fromCharCode((await client.reader.next(1024)).type)).toBe(letter);
    client.send(execute(), sync);
    expect(lettersOf(await client.ready())).toBe('Z');
    client.send(parse('selec'), parse('vacuum'), sync, batch('vacuum'));
    expect(lettersOf(await client.ready(2))).toBe('EZEZ');
    await client.query('begin');
    expect(await client.query('vacuum')).toMatchObject({ errors: ['42501'], status: 'T' });
    expect(await client.query('commit')).toMatchObject({ tags: ['COMMIT'], status: 'I' });
    client.close();
    expect(statements(front)).toContain('deny delete from public.accounts → ERROR 42501');
  });

  test('unnamed statements survive from one turn to the next', async () => {
    const client = await open();
    client.send(parse('select 5'), sync);
    expect(lettersOf(await client.ready())).toBe('1Z');
    client.send(bind(), execute(), sync, bind(), execute(), sync);
    expect(answerOf(await client.ready(2)).values).toEqual(['5', '5']);
    client.close();
  });

  test('delays the next turn after a change of transaction, and after no other', async () => {
    const client = await open();
    const turns = [
      'begin',
      'select public.write_row()',
      'select 1',
      'rollback',
      'select public.write_row()',
      'begin',
      'commit',
      'select 2',
    ];
    client.send(...turns.map(queryMessage));
    const answer = answerOf(await client.ready(turns.length));
    expect(answer.errors).toEqual(['25006', '25P02', '25006']);
    expect(answer.values).toEqual(['2']);
    client.close();
    expect(arena.effect()).toBe('none');
  });

  test('a fast-path call of a function is refused', async () => {
    const client = await open();
    // FunctionCall of lo_create(oid), number 715, without arguments.
    client.send(Buffer.from('460000000e000002cb000000000000', 'hex'));
    expect(lettersOf(await client.ready())).toBe('EZ');
    client.close();
  });

  test('cancel requests against the read-only setting end the session, and nothing is written', async () => {
    server.admin(
      "SET ROLE app; CREATE OR REPLACE FUNCTION public.off_and_slow() RETURNS text LANGUAGE sql AS $$ SELECT pg_catalog.set_config('default_transaction_read_only', 'off', false) $$",
    );
    arena.effect();
    for (let round = 0; round < 15; round += 1) {
      const client = await open();
      const key = client.key?.body ?? Buffer.alloc(0);
      await client.query('select public.off_and_slow()');
      const cancels = Array.from({ length: 4 }, () => cancelBy(front, key.readInt32BE(0), key.subarray(4)));
      client.send(...Array.from({ length: 10 }, () => queryMessage('select public.write_row()')));
      await Promise.all([...cancels, client.ready(10).catch(() => undefined)]);
      client.close();
    }
    expect(arena.effect()).toBe('none');
  });

  test('every restricted function of the server is denied, or harmless', () => {
    const harmless = [
      'pg_get_backend_memory_contexts',
      'pg_get_shmem_allocations',
      'pg_show_replication_origin_status',
      'pg_stat_have_stats',
    ];
    const names = server
      .admin(
        "SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND NOT has_function_privilege('other', oid, 'EXECUTE') ORDER BY 1",
      )
      .split('\n');
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => judgeSql(`SELECT ${name}()`).kind === 'allowed' && !harmless.includes(name))).toEqual(
      [],
    );
  });

  test('is refused to a superuser', async () => {
    await expect(rawSession({ port: front.port, user: 'boss', password: phantom, parameters })).rejects.toThrow(
      '42501',
    );
    expect(front.refusals.at(-1)).toMatchObject({
      code: 'credential-unavailable',
      remedy: expect.stringContaining('pg_read_all_data') as string,
    });
  });

  test.each([
    ['options', { options: '-c default_transaction_read_only=off' }],
    ['a setting that it may not change', { session_replication_role: 'replica' }],
    ['the default itself', { default_transaction_read_only: 'off' }],
    ['an encoding in which ASCII is not ASCII', { client_encoding: 'GBK' }],
  ])('is refused with %s', async (_, more) => {
    await expect(
      rawSession({ port: front.port, user: 'app', password: phantom, parameters: { ...parameters, ...more } }),
    ).rejects.toThrow('42501');
  });

  test('pgbench reads in all modes, and pg_dump dumps', async () => {
    const env = { PATH: process.env['PATH'], PGPASSWORD: phantom };
    const target = ['-h', '127.0.0.1', '-p', String(front.port), '-U', 'app'];
    await run('pgbench', ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'app', '-i', '-q', 'postgres'], {
      env: { ...env, PGPASSWORD: realPassword },
    });
    for (const mode of ['simple', 'extended', 'prepared']) {
      const { stdout } = await run('pgbench', [...target, '-n', '-S', '-c', '2', '-t', '50', '-M', mode, 'postgres'], {
        env,
      });
      expect(stdout).toContain('number of failed transactions: 0');
    }
    const { stdout } = await run('pg_dump', [...target, '-t', 'public.accounts', 'postgres'], { env });
    expect(stdout).toContain('COPY public.accounts');
    arena.effect();
  });
});
