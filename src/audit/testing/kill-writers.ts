import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendEvents } from '../journal.ts';
import { readEvents } from '../entries.ts';
import { verifyJournal } from '../verify.ts';
import { startEvent } from './events.ts';

const script = join(import.meta.dirname, 'append-acknowledged.ts');

export interface Writers {
  readonly file: string;
  readonly writers: number;
  /** Number of events that each writer appends. */
  readonly events: number;
  readonly rotateAt: number;
  /** Number of processes to kill at random moments. */
  readonly killed: number;
}

/**
 * Several processes append at once, and some are killed. Returns the errors: missing acknowledged events, or a broken
 * chain.
 */
export async function killWriters({ file, writers, events, rotateAt, killed }: Writers): Promise<readonly string[]> {
  const running = Array.from({ length: writers }, (_, index) =>
    start(file, [`w${index}`, String(events), String(rotateAt)]),
  );
  const victims = running.slice(0, killed).map(async ({ child, begun }) => {
    await begun;
    await sleep(Math.random() * 400);
    child.kill('SIGKILL');
  });
  await Promise.all(victims);
  const outputs = await Promise.all(running.map(({ output }) => output));
  const failed = running
    .slice(killed)
    .flatMap(({ child }, index) =>
      child.exitCode === 0 ? [] : [`writer ${index + killed} ended with ${child.exitCode}`],
    );
  return [...failed, ...(await whatIsWrong(file, outputs.join('')))];
}

/** System calls that change the disk, or come between such calls. */
export const changingCalls = [
  'symlink',
  'openat',
  'ftruncate',
  'write',
  'pwrite64',
  'fdatasync',
  'fsync',
  'rename',
  'link',
  'unlink',
] as const;

export interface Moment {
  readonly call: (typeof changingCalls)[number];
  /** Number of the call on a journal file, from 1. */
  readonly at: number;
}

/** One process appends, and is killed at a system call. Returns its acknowledged events, and whether it was killed. */
export function killAtCall(
  file: string,
  { call, at }: Moment,
  { events, rotateAt }: Pick<Writers, 'events' | 'rotateAt'>,
): { readonly acknowledged: string; readonly isKilled: boolean } {
  const names = [
    'journal.jsonl',
    'journal.jsonl.lock',
    'journal-000001.jsonl',
    'journal-000002.jsonl',
    'journal.head',
    'journal.head.new',
    'audit.key',
    'audit.key.new',
  ];
  const paths = ['', ...names].flatMap((name) => ['-P', join(dirname(file), name)]);
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${at}`];
  const { stdout, signal, status } = spawnSync(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      ...paths,
      ...inject,
      process.execPath,
      '--no-warnings',
      script,
      file,
      'k',
      String(events),
      String(rotateAt),
    ],
    { encoding: 'utf8' },
  );
  return { acknowledged: stdout, isKilled: signal !== null || status !== 0 };
}

/** Returns the errors after the next writer has continued. */
export async function whatIsWrong(file: string, acknowledged: string): Promise<readonly string[]> {
  const before = await verifyJournal(file);
  appendEvents(file, [startEvent('afterwards')]);
  const { problems } = await verifyJournal(file);
  const kept = new Set(readEvents(file).flatMap((entry) => ('session' in entry ? [entry.session] : [])));
  const lost = acknowledged.split('\n').filter((session) => session !== '' && !kept.has(session));
  const unexpected = before.problems.filter(
    ({ message }) => !message.includes('cut short: writing it was interrupted'),
  );
  return [...unexpected, ...problems]
    .map((problem) => `${problem.file}:${problem.line}: ${problem.message}`)
    .concat(lost.map((session) => `${session} was acknowledged, and is lost`));
}

function start(
  file: string,
  argv: readonly string[],
): { readonly child: ChildProcess; readonly begun: Promise<unknown>; readonly output: Promise<string> } {
  const child = spawn(process.execPath, ['--no-warnings', script, file, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = once(child, 'close').then(() => Buffer.concat(chunks).toString());
  return { child, begun: Promise.race([once(child.stdout, 'data'), output]), output };
}
