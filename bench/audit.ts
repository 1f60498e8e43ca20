import { closeSync, fdatasyncSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { appendEvents, journalWriter, verifyJournal, type JournalEvent } from '../src/audit/index.ts';
import type { Report } from './lib/report.ts';
import { titles } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';
import { table } from './lib/table.ts';

const many = 200_000;
const rounds = 5;
const second = 1000;
/** The number of callers that wait at once for their events to be on the disk. */
const waiters = 32;
const megabyte = 1e6;

/** The cost of the journal: events at once, awaited events, rotated files, and verification. */
export async function audit(): Promise<Report> {
  const { beside } = makeScratch();
  const events = Array.from({ length: many }, (_, index) => requestEvent(index));
  const whole = join(beside, 'whole/journal.jsonl');
  const batched = medianOfRounds(() => eventsPerSecond(() => appendEvents(whole, events), many));
  const rotating = medianOfRounds(() =>
    eventsPerSecond(
      () => appendEvents(join(beside, 'rotating/journal.jsonl'), events, { rotateAt: 8 * megabyte }),
      many,
    ),
  );
  const disk = syncsPerSecond(join(beside, 'disk'));
  const alone = during((index) =>
    appendEvents(join(beside, 'alone/journal.jsonl'), [requestEvent(index)], { durability: 'all' }),
  );
  const written = during((index) => appendEvents(join(beside, 'written/journal.jsonl'), [requestEvent(index)]));
  const together = await grouped(join(beside, 'together/journal.jsonl'));
  const size = sizeOf(join(beside, 'whole'));
  const verified = await medianOfAsync(() => megabytesPerSecond(whole, size));
  const rows = [
    ['many in one call', batched],
    ['the same, with a file of 8 MB rotated away every time', rotating],
    ['one a call, written', written],
    ['one a call, on the disk before it returns', alone],
    [`one a call of ${waiters} callers that wait, on the disk before each goes on`, together],
    ['what the disk gives: 400 bytes and fdatasync', disk],
  ] as const;
  return {
    title: `audit: events of ${Math.round(size / (many * rounds))} bytes`,
    parts: [
      table(
        titles('', ['a second']),
        rows.map(([name, rate]) => [name, rate.toFixed(0)]),
      ),
      `verification of ${(size / megabyte).toFixed(0)} MB in ${readdirSync(join(beside, 'whole')).length - 2} files: ${verified.toFixed(0)} MB/s`,
    ],
    budgets: [
      { claim: 'events in one call', measured: batched, limit: 200_000, unit: 'operations/s', direction: 'at-least' },
      {
        claim: 'events that are awaited, of many callers',
        measured: together,
        limit: 2000,
        unit: 'operations/s',
        direction: 'at-least',
      },
      { claim: 'verification', measured: verified / 1000, limit: 0.3, unit: 'GB/s', direction: 'at-least' },
    ],
  };
}

function requestEvent(index: number): JournalEvent {
  return {
    type: 'request',
    session: '01980f3e-7c11-7aa3-9b02-0f2f1d0c8a11',
    workspace: '/home/dev/app',
    method: 'GET',
    scheme: 'https',
    host: 'registry.example.org',
    port: 443,
    path: `/packages/left-pad-${index}`,
    status: 200,
    decision: 'allow',
    rule: 'network.allow[3]',
  };
}

function eventsPerSecond(work: () => void, count: number): number {
  const begin = performance.now();
  work();
  return (count / (performance.now() - begin)) * second;
}

/** Times per second. */
function during(work: (index: number) => void): number {
  const begin = performance.now();
  let done = 0;
  while (performance.now() - begin < second) work(done++);
  return (done / (performance.now() - begin)) * second;
}

async function grouped(file: string): Promise<number> {
  const writer = journalWriter(file, { durability: 'all' });
  const begin = performance.now();
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - begin < second) await writer.append([requestEvent(done++)]);
  };
  await Promise.all(Array.from({ length: waiters }, caller));
  return (done / (performance.now() - begin)) * second;
}

function syncsPerSecond(path: string): number {
  const fd = openSync(path, 'a');
  const bytes = Buffer.alloc(400, 'x');
  const rate = during(() => {
    writeSync(fd, bytes);
    fdatasyncSync(fd);
  });
  closeSync(fd);
  return rate;
}

async function megabytesPerSecond(file: string, size: number): Promise<number> {
  const begin = performance.now();
  const { problems } = await verifyJournal(file);
  if (problems.length > 0) throw new Error(problems[0]?.message);
  return (size / megabyte / (performance.now() - begin)) * second;
}

function sizeOf(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** The median of the rounds. */
function medianOfRounds(measure: () => number): number {
  return median(Array.from({ length: rounds }, measure));
}

async function medianOfAsync(measure: () => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) found.push(await measure());
  return median(found);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
