import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresPrograms, type PostgresServer, startPostgres } from '../src/credentials/postgres/testing/postgres.ts';
import { createAuthority } from '../src/egress/tls/authority.ts';
import { identity } from '../src/egress/tls/testing/servers.ts';
import { backends, repository } from './lib/holdfast.ts';
import { publicFile } from './network/lib/public-file.ts';
import { outcomeOf, type User, users, World } from './network/lib/world.ts';

const realPassword = 'real-EXAMPLE-password-of-app';
const name = 'db.example';
const authority = createAuthority();
const isThere = postgresPrograms() !== undefined;
if (!isThere)
  console.warn('SKIPPED: databases in boxes, because PostgreSQL is not installed (Debian: apt-get install postgresql)');
const withPostgres = describe.skipIf(!isThere);
let server: PostgresServer;

beforeAll(async () => {
  if (!isThere) return;
  server = await startPostgres({ tls: identity(authority, name) });
  server.admin(`CREATE ROLE app LOGIN PASSWORD '${realPassword}'`);
  server.admin('CREATE DATABASE app OWNER app');
}, 60_000);

afterAll(async () => server?.stop());

interface DatabaseWorld {
  readonly host?: 'localhost' | typeof name;
  readonly mode?: 'read-only' | 'read-write';
  readonly user?: User;
  readonly more?: string;
}

function policyOf({ host = 'localhost', mode = 'read-write', more = '' }: DatabaseWorld): string {
  const { port } = server;
  const tls = host === 'localhost' ? 'disable' : 'verify-full';
  const url = `postgres://app:{phantom}@${host}:${port}/app${host === 'localhost' ? '' : '?sslmode=verify-full'}`;
  return `[network]
hosts = ["${host}:${port}", "127.0.0.1:${port}"]
ca = ["${publicFile('ca.pem', authority.certificatePem)}"]
[[credentials]]
name = "database"
source = { env = "REAL_PASSWORD" }
hosts = ["${host}:${port}"]
inject = { kind = "postgres", mode = "${mode}", tls = "${tls}"${more} }
environment = ["DATABASE_URL=${url}"]
`;
}

function databaseWorld(options: DatabaseWorld = {}): World {
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
      event['type'] === 'statement'
        ? [`${String(event['decision'])} ${String(event['text'])} → ${String(event['outcome'])}`]
        : [],
    );
}

const select = 'psql "$DATABASE_URL" -XAtc "select current_user"';

withPostgres('the original URL, with a phantom in the place of the password', { timeout: 60_000 }, () => {
  test.each(backends.flatMap((backend) => users.map((user) => [backend, user] as const)))(
    'leads psql to a service of the host: %s, %s',
    async (backend, user) => {
      const world = databaseWorld({ user });
      expect(await world.inside(`${select}; echo "$DATABASE_URL"`, { backend })).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^app\npostgres:\/\/app:[^@]+@localhost/u),
      });
      expect(statements(world)).toEqual(['allow select current_user → SELECT 1']);
      expect((await world.holdfast(['audit', 'show'])).stdout).toContain('select current_user');
    },
  );

  test('leads psql to a name whose certificate it checks, with channel binding', async () => {
    const world = databaseWorld({ host: name });
    const { status, stdout, stderr } = await world.inside(
      'psql "$DATABASE_URL&channel_binding=require" -XAtc "select current_user, ssl from pg_stat_ssl where pid = pg_backend_pid()"',
    );
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: 'app|t\n' });
  });

  test.each(['localhost', name] as const)(
    'leads pg to %s: parameters, named statements, a pool, errors',
    async (host) => {
      const world = databaseWorld({ host });
      world.write(
        'client.cjs',
        `
const { Pool } = require(${JSON.stringify(join(repository, 'node_modules/pg'))});
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 3 });
const named = (value) => pool.query({ name: 'double', text: 'select $1::int * 2 as twice', values: [value] });
Promise.all([1, 2, 3, 4, 5, 6].map(named))
  .then(async (results) => {
    console.log(results.map(({ rows }) => rows[0].twice).join());
    await pool.query('select 1/0').catch(({ code }) => console.log(code));
    await pool.end();
  });
`,
      );
      const { stdout, stderr } = await world.run(['node', 'client.cjs']);
      expect(stdout, stderr).toBe('2,4,6,8,10,12\n22012\n');
      expect(statements(world).filter((line) => line === 'allow select $1::int * 2 as twice → SELECT 1')).toHaveLength(
        6,
      );
      expect(statements(world)).toContain('allow select 1/0 → ERROR 22012');
    },
  );

  test('serves pgbench in all three protocols', async () => {
    const world = databaseWorld();
    const { status, stdout, stderr } = await world.inside(
      'set -e; pgbench -i -q "$DATABASE_URL"; for mode in simple extended prepared; do pgbench -n -c 2 -t 20 -M $mode "$DATABASE_URL" | grep -E "actually|failed"; done',
    );
    expect({ status, lines: stdout.split('\n').filter(Boolean) }, stderr).toEqual({
      status: 0,
      lines: Array.from({ length: 3 }, () => [
        'number of transactions actually processed: 40/40',
        'number of failed transactions: 0 (0.000%)',
      ]).flat(),
    });
  });

  test('copies data in and out, and is dumped', async () => {
    const world = databaseWorld();
    const { stdout, stderr } = await world.inside(`set -e
seq 1 50000 > numbers
psql -Xq "$DATABASE_URL" -c 'create table copied (a int)' -c '\\copy copied from numbers'
psql -Xq "$DATABASE_URL" -c '\\copy (select a from copied order by a) to back'
cmp numbers back
pg_dump "$DATABASE_URL" -t copied | grep -c '^[0-9]*$'
psql -Xq "$DATABASE_URL" -c 'drop table copied'`);
    // Includes the empty lines of the dump.
    expect(Number(stdout), stderr).toBeGreaterThanOrEqual(50_000);
    expect(statements(world)).toContain('allow COPY  copied FROM STDIN  → COPY 50000');
  });

  test.each(['localhost', name] as const)('lets an interrupt cancel the statement at %s', async (host) => {
    const world = databaseWorld({ host });
    // Without the interrupt, the statement would outlast the test.
    const { stderr } = await world.inside('timeout -s INT 5 psql -X "$DATABASE_URL" -c "select pg_sleep(1000)"');
    expect(stderr).toContain('canceling statement due to user request');
    expect(statements(world)).toEqual(['allow select pg_sleep(1000) → ERROR 57014']);
  });
});

withPostgres('the real password', { timeout: 60_000 }, () => {
  test('is neither in the box nor in the records', async () => {
    const world = databaseWorld();
    // The test runner keeps a copy of these tests, this text included, beside the packages of a clone below /tmp.
    const search = `${select} -c "select pg_sleep(1)" > /dev/null & sleep 0.6
cat /proc/*/environ /proc/*/cmdline 2> /dev/null | tr '\\0' '\\n' | grep -c 'real-EXAMPLE'
grep -rs --exclude-dir=node_modules 'real-EXAMPLE' . ~ /run/holdfast /tmp | grep -vc '^./search'
env | grep -c REAL_PASSWORD
wait`;
    const { stdout } = await world.run([
      'sh',
      world.write('search.sh', search.replaceAll('real-EXAMPLE', realPassword.replace('real', '[r]eal'))),
    ]);
    expect(stdout).toBe('0\n0\n0\n');
    expect(JSON.stringify(world.journal())).not.toContain(realPassword);
    expect(JSON.stringify(await world.holdfast(['credentials', 'show']))).not.toContain(realPassword);
  });

  test.each([
    ['that is not set', ''],
    ['that the server does not know', 'another-EXAMPLE-password'],
  ])('%s is reported in one line, without the secret', async (_, password) => {
    const world = new World({ policy: policyOf({}), environment: password === '' ? {} : { REAL_PASSWORD: password } });
    const outcome = await world.inside(`${select} || echo "left with $?"`);
    expect(outcome.stdout).toMatch(/^(?:left with 2\n)$/u);
    expect(outcome.stderr).toContain(
      password === '' ? 'there is no credential database in the box' : 'password authentication failed for user "app"',
    );
    expect(JSON.stringify([outcome, world.journal()])).not.toContain('EXAMPLE-password');
  });
});

withPostgres('a read-only credential', { timeout: 60_000 }, () => {
  test('reads, and the journal and `why` name each refusal and its table', async () => {
    const world = databaseWorld({ host: name, mode: 'read-only' });
    const { stdout, stderr } = await world.inside(
      `${select} -c "create table made (a int)"; psql "$DATABASE_URL" -XAtc "select 1" -c "select set_config('transaction_read_only', 'off', false)"`,
    );
    expect(stdout).toBe('app\n1\n');
    expect(stderr).toContain('ERROR:  holdfast: a read-only session may not use CREATE');
    expect(statements(world)).toEqual(
      expect.arrayContaining(['allow select current_user → SELECT 1', 'deny create table made (a int) → ERROR 42501']),
    );
    const why = await world.holdfast(['why']);
    expect(why.stdout).toContain(
      `the credential "database", which is read-only, does not let this through to ${name}:${server.port}: create table made (a int)`,
    );
    expect(why.stdout).toContain('policy.toml:');
    expect(why.stdout).toContain('mode = "read-write" in the table of the credential lets it write');
  });

  test('is the default of a table', async () => {
    const world = new World({
      policy: policyOf({}).replace('mode = "read-write", ', ''),
      environment: { REAL_PASSWORD: realPassword },
    });
    expect((await world.inside('psql "$DATABASE_URL" -XAtc "create table made (a int)"')).stderr).toContain(
      'may only read',
    );
  });

  test('can still be dumped', async () => {
    const world = databaseWorld({ mode: 'read-only' });
    server.admin(
      '\\c app\nCREATE TABLE dumped (a int); INSERT INTO dumped VALUES (4711); ALTER TABLE dumped OWNER TO app',
    );
    expect((await world.inside('pg_dump "$DATABASE_URL" -t dumped')).stdout).toContain('\n4711\n');
  });

  test('gives no more rows than its table allows', async () => {
    const world = databaseWorld({ mode: 'read-only', more: ', max_rows = 10' });
    expect((await world.inside('psql "$DATABASE_URL" -XAtc "select generate_series(1, 100000)"')).stderr).toContain(
      'max_rows',
    );
  });
});

withPostgres('while a box runs', { timeout: 60_000 }, () => {
  /** Logs in once, waits for the file `go` in the workspace, and logs in again. */
  const twice = `${select}; while ! test -e go; do sleep 0.1; done; ${select}`;

  async function running(world: World, meanwhile: () => Promise<unknown> | void) {
    const child = world.start(['run', '--', 'sh', '-c', twice]);
    const ended = outcomeOf(child);
    await Promise.race([ended, new Promise((resolve) => child.stdout?.once('data', resolve))]);
    await meanwhile();
    world.write('go', '');
    return ended;
  }

  test('a revoked credential works nowhere any more', async () => {
    const world = databaseWorld();
    const { stdout, stderr } = await running(world, () => world.holdfast(['credentials', 'revoke', 'database']));
    expect(stdout).toBe('app\n');
    expect(stderr).toContain('the phantom of the credential "database" is no longer valid');
    // libpq tries once with TLS and once without.
    expect(
      world
        .journal()
        .flatMap(({ type, alarm, credential }) => (type === 'alarm' ? [`${String(alarm)} ${String(credential)}`] : [])),
    ).toContain('phantom-revoked database');
  });

  test('a secret that the policy no longer holds works nowhere', async () => {
    const world = databaseWorld();
    const { stdout, stderr } = await running(world, () =>
      world.setPolicy(policyOf({}).split('[[credentials]]')[0] ?? ''),
    );
    expect(stdout).toBe('app\n');
    expect(stderr).toContain('password authentication failed');
  });
});
