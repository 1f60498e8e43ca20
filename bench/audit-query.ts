import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { appendEvents, type JournalEvent } from '../src/audit/index.ts';
import { indexPath } from '../src/audit/index-db/index-file.ts';
import { queryJournal } from '../src/audit/index-db/query-journal.ts';
import type { Budget } from './lib/budget.ts';
import { medianOf } from './lib/compare.ts';
import { runner } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';

const events = 1_000_000;
const batch = 20_000;
const sessions = 2000;
const paths = 50_000;
const hosts = 3000;
const binary = resolve(import.meta.dirname, '../bin/holdfast');

/** Queries as a user writes them. The last ones find nothing, so that they scan the whole index. */
const questions: readonly (readonly [string, readonly string[]])[] = [
  ['the last hundred', []],
  ['one session', ['--session', 's-1234']],
  ['a type', ['--type', 'alarm']],
  ['decision and host', ['--decision', 'deny', '--host', 'h77.example.com']],
  ['names below a host', ['--host', '*.h7.example.com']],
  ['a directory', ['--path', '/home/dev/app/src/d3']],
  ['a pattern', ['--path', '/home/dev/**/f4999?.ts']],
  ['a rare word', ['--text', 'f49999']],
  ['a phrase that every refusal has', ['--text', '"not granted"']],
  ['time, type and directory', ['--since', '30d', '--type', 'refusal', '--path', '/home/dev/app/src/d9']],
  ['nothing: another session', ['--session', 'nobody']],
  ['nothing: words of half of all, and another decision', ['--text', '"is not granted"', '--decision', 'once']],
];

const limit = 300;

/** The cost of queries to a journal of a million events, in a separate process and within one. */
export async function auditQuery(): Promise<Report> {
  const scratch = makeScratch();
  const journal = join(String(scratch.environment['XDG_STATE_HOME']), 'holdfast/journal.jsonl');
  const written = timed(() => writeJournal(journal));
  const built = timed(() => queryJournal(journal, { filter: {} }));
  const contestants = [
    runner('holdfast --version', async () => spawnSync(binary, ['--version'], { env: scratch.environment })),
    ...questions.map(([name, argv]) => runner(name, async () => ask(scratch, argv))),
  ];
  const again = await measure(contestants, { rounds: 7, warmups: 1 });
  const size = (file: string): string => `${(statSync(file).size / 1e6).toFixed(0)} MB`;
  return {
    title: `audit query: ${events.toLocaleString('en')} events`,
    parts: [
      `written in ${seconds(written)}; indexed in ${seconds(built)}: ${size(indexPath(journal))}`,
      `\`holdfast audit query\`, process and all\n${timeTable(again, 'holdfast --version')}`,
    ],
    budgets: questions.map(([name]) => budgetOf(again, name)),
  };
}

function budgetOf(results: readonly Result[], name: string): Budget {
  return { claim: `audit query: ${name}`, measured: medianOf(results, name), limit, unit: 'ms', direction: 'at-most' };
}

function ask({ environment, workspace }: Scratch, argv: readonly string[]): void {
  const { status, stderr } = spawnSync(binary, ['audit', 'query', ...argv], {
    cwd: workspace,
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(stderr);
}

function writeJournal(journal: string): void {
  for (let from = 0; from < events; from += batch)
    appendEvents(
      journal,
      Array.from({ length: batch }, (_, index) => eventOf(from + index)),
    );
}

/** Sessions of five hundred events: half of them refusals of files, a third connections. */
function eventOf(index: number): JournalEvent {
  const inSession = { session: `s-${Math.floor((index * sessions) / events)}`, workspace: '/home/dev/app' };
  const host = `${index % 4 === 0 ? 'api.' : ''}h${(index * 7) % hosts}.example.com`;
  if (index % 6 < 3) return refusal(inSession, `/home/dev/app/src/d${index % 97}/f${(index * 7919) % paths}.ts`);
  if (index % 100_000 === 5)
    return {
      ...inSession,
      type: 'alarm',
      alarm: 'phantom-unbound',
      credential: 'github',
      host,
      port: 443,
      place: 'the query',
    };
  if (index % 6 < 5)
    return {
      ...inSession,
      type: 'connection',
      front: 'transparent',
      host,
      port: 443,
      address: '192.0.2.1',
      decision: index % 5 === 0 ? 'deny' : 'allow',
      sent: 100,
      received: 2000,
      duration: 30,
    };
  return {
    ...inSession,
    type: 'request',
    method: 'GET',
    scheme: 'https',
    host,
    port: 443,
    path: `/v1/items/${index % 1000}`,
    status: 200,
    decision: 'allow',
  };
}

function refusal(inSession: { readonly session: string; readonly workspace: string }, path: string): JournalEvent {
  return {
    ...inSession,
    type: 'refusal',
    observed: 'enforcement',
    request: { kind: 'file', operation: 'read', path },
    verdict: {
      decision: 'deny',
      code: 'not-granted',
      rule: 'files.read.default',
      layer: 'user',
      file: '/home/dev/.config/holdfast/policy.toml',
      line: 3,
      message: `reading ${path} is not granted`,
      remedy: `add "${path}" to files.read, or run with --read ${path}`,
    },
  };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(1)} s`;
}
