import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allProcesses, commandLineOf } from '../scripts/testing/processes.ts';
import { cgroupFacts } from '../src/place/host/cgroups.ts';
import type { CgroupPlan, Plan } from '../src/plan/types.ts';
import { type Ended, encodeSmall, launcher, launchWith, smallPlan } from './lib/bare-launcher.ts';

const group = `holdfast-hostile-${process.pid}`;
const headerSize = 8;

let scratch: string;
let workspace: string;
let encoded: Buffer;

function kinds({ reports }: Ended): readonly string[] {
  return reports.map(({ kind }) => kind);
}

/** One group in every hierarchy that this machine opens to the tests. */
function cgroups(): readonly CgroupPlan[] {
  const facts = cgroupFacts();
  const file = { name: 'pids.max', value: '50' };
  if (facts.kind === 'v2')
    return [{ directory: join(facts.directory, group), files: facts.controllers.includes('pids') ? [file] : [] }];
  return facts.kind === 'none'
    ? []
    : Object.entries(facts.directories).map(([controller, directory]) => ({
        directory: join(directory, group),
        files: controller === 'pids' ? [file] : [],
      }));
}

function plan(): Plan {
  return smallPlan(workspace, cgroups());
}

/** Hands them to the launcher as they are. */
async function launch(bytes: Buffer, ending?: 'close'): Promise<Ended> {
  return launchWith({ bytes, workspace, ...(ending === undefined ? {} : { ending }) });
}

/** Possible remains of a box on the host. */
function leftovers(): Readonly<Record<string, readonly string[]>> {
  return {
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').toSorted(),
    processes: allProcesses()
      .filter((pid) => pid !== process.pid)
      .map(commandLineOf)
      .filter((words) => words.startsWith(launcher) || words.startsWith('touch\0')),
    groups: cgroups().flatMap(({ directory }) =>
      readdirSync(dirname(directory)).filter(
        (name) => name.includes(String(process.pid)) || name.startsWith(group.slice(0, -1)),
      ),
    ),
    files: [...readdirSync('/'), ...readdirSync(scratch), ...readdirSync(workspace, { recursive: true }).map(String)],
  };
}

/** Numbers that are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

function withHeader(payload: Buffer): Buffer {
  const header = Buffer.from('HFP1\0\0\0\0', 'latin1');
  header.writeUInt32LE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

function refusedPlan(ended: Ended, stage: string): void {
  expect(ended).toMatchObject({ code: 125, signal: null, ran: false, reports: [{ kind: 'failed', stage }] });
  expect(ended.reports).toHaveLength(1);
}

beforeAll(() => {
  scratch = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-hostile-')));
  workspace = join(scratch, 'ws');
  mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
  encoded = encodeSmall(plan());
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('the launcher with a plan that is', { timeout: 240_000 }, () => {
  test('valid runs the command, and leaves nothing behind', async () => {
    const before = leftovers();
    const ended = await launch(encoded);
    expect(ended).toMatchObject({ code: 0, signal: null, ran: true });
    expect(kinds(ended)).toEqual(['protected', 'started', 'exit']);
    expect(leftovers()).toEqual(before);
  });

  test('cut short at any place is refused', async () => {
    const before = leftovers();
    const random = numbers(1);
    const lengths = [
      0,
      1,
      7,
      8,
      9,
      15,
      encoded.length - 1,
      ...Array.from({ length: 60 }, () => Math.floor(random.next().value * encoded.length)),
    ];
    for (const length of lengths) refusedPlan(await launch(encoded.subarray(0, length), 'close'), 'read plan');
    expect(leftovers()).toEqual(before);
  });

  test('cut short with a matching length is refused, except after the last record', async () => {
    const before = leftovers();
    const random = numbers(2);
    const payload = encoded.subarray(headerSize);
    for (let round = 0; round < 80; round += 1) {
      const ended = await launch(withHeader(payload.subarray(0, Math.floor(random.next().value * payload.length))));
      // A cut between two records can leave a complete plan that lacks a limit or a rule.
      if (ended.ran) expect(kinds(ended)).toEqual(expect.arrayContaining(['started', 'exit']));
      else refusedPlan(ended, 'decode plan');
    }
    expect(leftovers()).toEqual(before);
  });

  test.each([
    ['longer than 64 MiB by its header', () => Buffer.from('HFP1\x01\0\0\x04', 'latin1'), 'decode plan'],
    ['as long as a length can be', () => Buffer.from('HFP1\xff\xff\xff\xff', 'latin1'), 'decode plan'],
    ['of another version', () => Buffer.concat([Buffer.from('HFP2'), encoded.subarray(4)]), 'decode plan'],
    ['not a plan', () => Buffer.alloc(4096, 'x'), 'decode plan'],
    ['empty', () => withHeader(Buffer.alloc(0)), 'decode plan'],
    ['32 MiB of zeros', () => withHeader(Buffer.alloc(32 << 20)), 'decode plan'],
    ['one record that claims 4 GiB', () => withHeader(Buffer.from('01000000ffffffff', 'hex')), 'decode plan'],
    [
      'a word without an end',
      () => withHeader(Buffer.concat([encoded.subarray(headerSize), Buffer.from('0100000000000000', 'hex')])),
      'decode plan',
    ],
    [
      'a million empty records',
      () => withHeader(Buffer.alloc(8 << 20, Buffer.from('1500000000000000', 'hex'))),
      'decode plan',
    ],
    [
      'a hundred thousand protected names',
      () =>
        withHeader(
          Buffer.concat([
            Buffer.alloc(1_400_000, Buffer.from('0e000000060000000100000061000000', 'hex').subarray(0, 14)),
            encoded.subarray(headerSize),
          ]),
        ),
      'decode plan',
    ],
  ])('%s is refused', async (_name, bytes, stage) => {
    const before = leftovers();
    refusedPlan(await launch(bytes(), 'close'), stage);
    expect(leftovers()).toEqual(before);
  });

  test('followed by more bytes ends the box, as the supervisor’s word does', async () => {
    const before = leftovers();
    const ended = await launch(Buffer.concat([encoded, Buffer.from('more')]));
    expect(ended.signal).toBeNull();
    expect(ended.reports.at(-1)).toMatchObject({ kind: 'exit' });
    expect(leftovers()).toEqual(before);
  });

  // Each flip makes another plan, which may be valid. It must not cause a crash, or a command in half a box.
  test('changed by single bits is refused, or carried out completely', async () => {
    const before = leftovers();
    const random = numbers(3);
    const outcomes = { refused: 0, ran: 0, other: 0 };
    for (let round = 0; round < 400; round += 1) {
      const bytes = Buffer.from(encoded);
      const at = headerSize + Math.floor(random.next().value * (bytes.length - headerSize));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random.next().value * 8));
      const ended = await launch(bytes);
      expectWhole(ended, `bit of byte ${at} in round ${round}`);
      outcomes[ended.code === 125 && kinds(ended).includes('failed') ? 'refused' : ended.ran ? 'ran' : 'other'] += 1;
    }
    expect(outcomes.refused).toBeGreaterThan(20);
    expect(outcomes.ran).toBeGreaterThan(20);
    expect(leftovers()).toEqual(before);
  });

  test('made of real records in any order is refused, or carried out completely', async () => {
    const before = leftovers();
    const random = numbers(4);
    const records = recordsOf(encoded.subarray(headerSize));
    for (let round = 0; round < 100; round += 1) {
      const chosen = records.flatMap((record) =>
        random.next().value < 0.1 ? [] : random.next().value < 0.05 ? [record, record] : [record],
      );
      const [from, to] = [
        Math.floor(random.next().value * chosen.length),
        Math.floor(random.next().value * chosen.length),
      ];
      const shuffled = chosen.toSpliced(from, 1).toSpliced(to, 0, ...chosen.slice(from, from + 1));
      expectWhole(await launch(withHeader(Buffer.concat(shuffled))), `round ${round}`);
    }
    expect(leftovers()).toEqual(before);
  });
});

/**
 * No crash. A failure is reported, and before the command's exec it keeps the command from running. A command that ran
 * was in a started box.
 */
function expectWhole(ended: Ended, what: string): void {
  const found = { what, ...ended };
  expect(ended.signal, JSON.stringify(found)).toBeNull();
  const failures = ended.reports.flatMap((report) => (report.kind === 'failed' ? [report.stage] : []));
  if (failures.length > 0) expect(ended, JSON.stringify(found)).toMatchObject({ code: 125, ran: false });
  else expect(kinds(ended), JSON.stringify(found)).toEqual(expect.arrayContaining(['started', 'exit']));
}

function recordsOf(payload: Buffer): readonly Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const end = at + headerSize + payload.readUInt32LE(at + 4);
    records.push(payload.subarray(at, end));
    at = end;
  }
  return records;
}

test('withheld names are found behind links, up to their own depth, and no further', async () => {
  const names = [
    ['.a', 'b', 'c'],
    ['.a', 'b', 'd', 'e'],
  ].map(
    (components) => ({ components, effect: 'withheld', except: [], scope: 'outside-packages', reason: '' }) as const,
  );
  const made = ['x/z', 'y/c', 'y/d/e', 'y/d/f', 'y/b/c'].map((path) => join(workspace, 'sub', path));
  for (const path of made) mkdirSync(path, { recursive: true });
  for (const [name, to] of [
    ['.a', 'x'],
    ['x/b', '../y'],
    ['y/loop', '../.a'],
    ['y/d/e/b', '../../../y'],
  ] as const)
    symlinkSync(to, join(workspace, 'sub', name));
  const { protection, ...rest } = plan();
  const bytes = encodeSmall({ ...rest, protection: { ...protection, names, withholding: [workspace], approved: [] } });
  const { reports } = await launch(bytes).finally(() => rmSync(join(workspace, 'sub'), { recursive: true }));
  const hidden = reports.flatMap((report) =>
    report.kind === 'protected' && report.effect === 'hidden' ? [report.path.toString()] : [],
  );
  expect(hidden.toSorted()).toEqual(['.a/b/c', '.a/b/d/e'].map((path) => join(workspace, 'sub', path)));
});
