import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../src/credentials/postgres/testing/postgres.ts';
import { difference, ratio } from '../lib/compare.ts';
import { measure, type Result } from '../lib/measure.ts';
import { timeTable } from '../lib/report.ts';
import { runCommand } from '../lib/spawn.ts';
import type { Part } from '../network/part.ts';
import { rateTable } from '../network/tables.ts';
import { type Around, box, direct, key } from './box.ts';
import type { CredentialBench } from './bench.ts';
import { figureIn, runInside } from './run-inside.ts';

const names = { direct: 'without Holdfast', carried: 'holdfast, carried unseen', readWrite: 'holdfast', readOnly: 'holdfast, read-only' } as const;

/** Octets of a row, as COPY writes it with its line break. */
const rowOctets = 1000;

/** Statements and bulk data through the broker, over the loopback in the clear on both legs. */
export async function postgres(bench: CredentialBench): Promise<readonly Part[]> {
  if (postgresPrograms() === undefined) return [{ title: 'Postgres', text: 'absent: PostgreSQL is not installed (Debian: postgresql)', budgets: [] }];
  const server = await startPostgres({ hba: ['local app app trust'] });
  try {
    server.admin(`CREATE ROLE app LOGIN PASSWORD '${key.value}'; CREATE DATABASE app OWNER app`);
    const arounds = waysTo(bench, server);
    return [await statements(bench, arounds, server), await copyOut(bench, arounds, server), await copyIn(bench, arounds, server)];
  } finally {
    await server.stop();
  }
}

interface Arounds {
  readonly direct: Around;
  /** Without a credential: what the way out of the box costs by itself. */
  readonly carried: Around;
  readonly readWrite: Around;
  readonly readOnly: Around;
}

function waysTo({ scratch }: CredentialBench, { port }: PostgresServer): Arounds {
  const policy = (mode: string): string => `network.hosts = ["localhost:${port}"]
[[credentials]]
name = "bench"
source = { env = "${key.variable}" }
hosts = ["localhost:${port}"]
inject = { kind = "postgres", mode = "${mode}", tls = "disable" }
environment = ["PGPASSWORD"]
`;
  return {
    direct: direct(scratch, names.direct, { PGPASSWORD: key.value }),
    carried: box(scratch, names.carried, `network.hosts = ["localhost:${port}"]\nenvironment.set = { PGPASSWORD = "${key.value}" }\n`),
    readWrite: box(scratch, names.readWrite, policy('read-write')),
    readOnly: box(scratch, names.readOnly, policy('read-only')),
  };
}

function client(program: string, port: number, ...words: readonly string[]): readonly string[] {
  return [program, '-h', 'localhost', '-p', String(port), '-U', 'app', ...words];
}

async function statements({ scratch, sizes }: CredentialBench, { direct: bare, carried, readWrite, readOnly }: Arounds, { port }: PostgresServer): Promise<Part> {
  const { count, ...options } = sizes.statements;
  await runCommand(client('pgbench', port, '-i', '-q', 'app'), { env: bare.environment });
  // What a box has not run before is compiled at first: that is no cost of a query.
  const words = ['sh', '-ec', `"$@" -t ${Math.ceil(count / 5)} > warm-up 2>&1; "$@" -t ${count}`, 'sh', ...client('pgbench', port, '-S', '-n', '-c', '1', 'app')];
  const read = (printed: string): number => figureIn(printed, /latency average = ([\d.]+) ms/u);
  const results = await measure([bare, carried, readWrite, readOnly].map((around) => runInside(around, { scratch, words, read })), options);
  return {
    title: `Postgres, simple query (pgbench -S, one client, average of ${count} after ${Math.ceil(count / 5)})`,
    text: timeTable(results, names.direct),
    budgets: [names.readWrite, names.readOnly].map((name) => ({ claim: `simple query: ${name} − ${names.direct}`, measured: difference(results, name, names.direct), limit: 0.15, unit: 'ms', direction: 'at-most' })),
  };
}

async function copyOut({ scratch, sizes }: CredentialBench, { direct: bare, carried, readWrite, readOnly }: Arounds, server: PostgresServer): Promise<Part> {
  server.admin(`\\c app app\nCREATE UNLOGGED TABLE bulk (line text); INSERT INTO bulk SELECT repeat('x', ${rowOctets - 1}) FROM generate_series(1, ${rowsOf(sizes.octets)})`);
  const inside = copying({ scratch, sizes }, client('psql', server.port, '-X', '-d', 'app', '-c', '\\timing on', '-c', '\\copy bulk to /dev/null'));
  const results = await measure([bare, carried, readWrite, readOnly].map((around) => runInside(around, inside)), sizes.copies);
  return copyPart('out', sizes.octets, results);
}

async function copyIn({ scratch, sizes }: CredentialBench, { direct: bare, carried, readWrite }: Arounds, server: PostgresServer): Promise<Part> {
  const file = join(scratch.workspace, 'bulk.txt');
  writeFileSync(file, `${'x'.repeat(rowOctets - 1)}\n`.repeat(rowsOf(sizes.octets)));
  server.admin('\\c app app\nCREATE UNLOGGED TABLE filled (line text)');
  const inside = copying({ scratch, sizes }, client('psql', server.port, '-X', '-d', 'app', '-c', 'TRUNCATE filled', '-c', '\\timing on', '-c', `\\copy filled from ${file}`));
  const results = await measure([bare, carried, readWrite].map((around) => runInside(around, inside)), sizes.copies);
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
    budgets: measured.map(({ name }) => ({ claim: `COPY ${way}: ${name} ÷ ${names.direct}`, measured: ratio(results, name, names.direct), limit: 0.5, unit: '×', direction: 'at-least' })),
  };
}
