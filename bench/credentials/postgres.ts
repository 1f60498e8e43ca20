import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate } from '../../src/egress/http/testing/certificate.ts';
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from '../../src/credentials/postgres/testing/postgres.ts';
import { difference, ratio } from '../lib/compare.ts';
import { measure, type Result } from '../lib/measure.ts';
import { timeTable } from '../lib/report.ts';
import { runCommand } from '../lib/spawn.ts';
import type { Part } from '../network/part.ts';
import { rateTable } from '../network/tables.ts';
import { type Around, box, direct, key } from './box.ts';
import type { CredentialBench } from './bench.ts';
import { figureIn, runInside } from './run-inside.ts';

const names = {
  direct: 'without Holdfast',
  carried: 'holdfast, carried unseen',
  readWrite: 'holdfast',
  readOnly: 'holdfast, read-only',
  directTls: 'without Holdfast, TLS',
  readWriteTls: 'holdfast, TLS inside',
  readOnlyTls: 'holdfast, read-only, TLS inside',
} as const;

/** The compared pair: the same cipher at the client's end. */
const pairs = [
  [names.readWrite, names.direct],
  [names.readOnly, names.direct],
  [names.readWriteTls, names.directTls],
  [names.readOnlyTls, names.directTls],
] as const;

/** Bytes of a row, as COPY writes it with its line break. */
const rowOctets = 1000;

/**
 * Statements and bulk data through the broker, over the loopback and in the clear on both legs. Statements also run
 * with TLS on the client's leg, which libpq uses if it can. TLS takes the same time at a server as at the broker.
 */
export async function postgres(bench: CredentialBench): Promise<readonly Part[]> {
  if (postgresPrograms() === undefined)
    return [{ title: 'Postgres', text: 'absent: PostgreSQL is not installed (Debian: postgresql)', budgets: [] }];
  const server = await startPostgres({ hba: ['local app app trust'], tls: certificate() });
  try {
    server.admin(`CREATE ROLE app LOGIN PASSWORD '${key.value}'; CREATE DATABASE app OWNER app`);
    const arounds = waysTo(bench, server);
    return [
      await statements(bench, arounds, server),
      await copyOut(bench, arounds, server),
      await copyIn(bench, arounds, server),
    ];
  } finally {
    await server.stop();
  }
}

interface Arounds {
  readonly direct: Around;
  /** Without a credential: the cost of the box's way out alone. */
  readonly carried: Around;
  readonly readWrite: Around;
  readonly readOnly: Around;
  readonly directTls: Around;
  readonly readWriteTls: Around;
  readonly readOnlyTls: Around;
}

function waysTo({ scratch }: CredentialBench, { port }: PostgresServer): Arounds {
  const policy = (mode: string, tls: string): string => `network.hosts = ["localhost:${port}"]
environment.set = { PGSSLMODE = "${tls}" }
[[credentials]]
name = "bench"
source = { env = "${key.variable}" }
hosts = ["localhost:${port}"]
inject = { kind = "postgres", mode = "${mode}", tls = "disable" }
environment = ["PGPASSWORD"]
`;
  return {
    direct: direct(scratch, names.direct, { PGPASSWORD: key.value, PGSSLMODE: 'disable' }),
    carried: box(
      scratch,
      names.carried,
      `network.hosts = ["localhost:${port}"]\nenvironment.set = { PGPASSWORD = "${key.value}", PGSSLMODE = "disable" }\n`,
    ),
    readWrite: box(scratch, names.readWrite, policy('read-write', 'disable')),
    readOnly: box(scratch, names.readOnly, policy('read-only', 'disable')),
    directTls: direct(scratch, names.directTls, { PGPASSWORD: key.value, PGSSLMODE: 'require' }),
    readWriteTls: box(scratch, names.readWriteTls, policy('read-write', 'require')),
    readOnlyTls: box(scratch, names.readOnlyTls, policy('read-only', 'require')),
  };
}

function client(program: string, port: number, ...words: readonly string[]): readonly string[] {
  return [program, '-h', 'localhost', '-p', String(port), '-U', 'app', ...words];
}

async function statements(
  { scratch, sizes }: CredentialBench,
  { direct: bare, ...others }: Arounds,
  { port }: PostgresServer,
): Promise<Part> {
  const { count, ...options } = sizes.statements;
  await runCommand(client('pgbench', port, '-i', '-q', 'app'), { env: bare.environment });
  // The first run of code in a box includes its compilation, which is no cost of a query.
  const words = [
    'sh',
    '-ec',
    `"$@" -t ${Math.ceil(count / 5)} > warm-up 2>&1; "$@" -t ${count}`,
    'sh',
    ...client('pgbench', port, '-S', '-n', '-c', '1', 'app'),
  ];
  const read = (printed: string): number => figureIn(printed, /latency average = ([\d.]+) ms/u);
  const results = await measure(
    [bare, ...Object.values(others)].map((around) => runInside(around, { scratch, words, read })),
    options,
  );
  return {
    title: `Postgres, simple query (pgbench -S, one client, average of ${count} after ${Math.ceil(count / 5)})`,
    text: timeTable(results, names.direct),
    budgets: pairs.map(([name, other]) => ({
      claim: `simple query: ${name} − ${other}`,
      measured: difference(results, name, other),
      limit: 0.15,
      unit: 'ms',
      direction: 'at-most',
    })),
  };
}

async function copyOut(
  { scratch, sizes }: CredentialBench,
  { direct: bare, carried, readWrite, readOnly }: Arounds,
  server: PostgresServer,
): Promise<Part> {
  server.admin(
    `\\c app app\nCREATE UNLOGGED TABLE bulk (line text); INSERT INTO bulk SELECT repeat('x', ${rowOctets - 1}) FROM generate_series(1, ${rowsOf(sizes.octets)})`,
  );
  const inside = copying(
    { scratch, sizes },
    client('psql', server.port, '-X', '-d', 'app', '-c', '\\timing on', '-c', '\\copy bulk to /dev/null'),
  );
  const results = await measure(
    [bare, carried, readWrite, readOnly].map((around) => runInside(around, inside)),
    sizes.copies,
  );
  return copyPart('out', sizes.octets, results);
}

async function copyIn(
  { scratch, sizes }: CredentialBench,
  { direct: bare, carried, readWrite }: Arounds,
  server: PostgresServer,
): Promise<Part> {
  const file = join(scratch.workspace, 'bulk.txt');
  writeFileSync(file, `${'x'.repeat(rowOctets - 1)}\n`.repeat(rowsOf(sizes.octets)));
  server.admin('\\c app app\nCREATE UNLOGGED TABLE filled (line text)');
  const inside = copying(
    { scratch, sizes },
    client(
      'psql',
      server.port,
      '-X',
      '-d',
      'app',
      '-c',
      'TRUNCATE filled',
      '-c',
      '\\timing on',
      '-c',
      `\\copy filled from ${file}`,
    ),
  );
  const results = await measure(
    [bare, carried, readWrite].map((around) => runInside(around, inside)),
    sizes.copies,
  );
  return copyPart('in', sizes.octets, results);
}

function rowsOf(octets: number): number {
  return Math.round(octets / rowOctets);
}

/** The figure is GB/s. */
function copying({ scratch, sizes }: CredentialBench, words: readonly string[]): Parameters<typeof runInside>[1] {
  return { scratch, words, read: (printed) => sizes.octets / figureIn(printed, /COPY \d+\s+Time: ([\d.]+) ms/u) / 1e6 };
}

function copyPart(way: 'out' | 'in', octets: number, results: readonly Result[]): Part {
  const measured = results.filter(({ name }) => name === names.readWrite || name === names.readOnly);
  return {
    title: `Postgres, COPY ${way} of ${octets / 1e6} MB`,
    text: rateTable(results, { unit: 'GB/s', baseline: names.direct, digits: 2 }),
    budgets: measured.map(({ name }) => ({
      claim: `COPY ${way}: ${name} ÷ ${names.direct}`,
      measured: ratio(results, name, names.direct),
      limit: 0.5,
      unit: '×',
      direction: 'at-least',
    })),
  };
}
