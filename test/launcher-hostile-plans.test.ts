import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allProcesses, commandLineOf } from '../scripts/testing/processes.ts';
import { encodePlan } from '../src/backends/launcher/encode-plan.ts';
import { type LauncherReport, ReportReader } from '../src/backends/launcher/reports.ts';
import { cgroupFacts } from '../src/place/host/cgroups.ts';
import { pathFact } from '../src/place/host/path-facts.ts';
import type { BindMount, Mount } from '../src/plan/mount.ts';
import { seccompFilter } from '../src/plan/seccomp/filter.ts';
import { notifyFilter } from '../src/plan/seccomp/notify.ts';
import type { CgroupPlan, Plan } from '../src/plan/types.ts';
import { repository } from './lib/holdfast.ts';

const launcher = join(repository, 'native/build/holdfast-launch');
const group = `holdfast-hostile-${process.pid}`;
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
const headerSize = 8;

let scratch: string;
let workspace: string;
let encoded: Buffer;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly reports: readonly LauncherReport[];
  /** Whether the plan's command ran. */
  readonly ran: boolean;
}

/** Hands bytes to the launcher as its supervisor would, and waits for it to end. */
async function launchWith(bytes: Buffer, then: 'close' | 'hold' = 'hold'): Promise<Ended> {
  const child = spawn(launcher, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: {},
    cwd: '/',
    timeout: 20_000,
  });
  const control = child.stdio[3] as Duplex;
  const reader = new ReportReader();
  const reports: LauncherReport[] = [];
  control.on('data', (chunk: Buffer) => reports.push(...reader.push(chunk)));
  control.on('error', () => undefined);
  control.write(bytes);
  if (then === 'close') control.end();
  const closed = new Promise((resolve) => control.once('close', resolve));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  await closed;
  return { code, signal, reports, ran: emptyWorkspace() === 'changed' };
}

/** The command makes a file, under any name in the plan. */
function emptyWorkspace(): 'changed' | 'unchanged' {
  // As bytes: a flipped bit may leave a name that is not UTF-8.
  const made = readdirSync(workspace, { encoding: 'buffer' }).filter(
    (name) => !['.git', 'sub'].includes(name.toString()),
  );
  for (const name of made) unlinkSync(Buffer.concat([Buffer.from(`${workspace}/`), name]));
  return made.length > 0 ? 'changed' : 'unchanged';
}

function kinds({ reports }: Ended): readonly string[] {
  return reports.map(({ kind }) => kind);
}

function bind(path: string, access: BindMount['access']): BindMount {
  const fact = pathFact(path);
  if (fact.kind === 'missing') throw new Error(`${path} is missing`);
  return {
    kind: 'bind',
    source: path,
    target: path,
    access,
    ownership: access === 'read-only' && process.getuid?.() === 0 ? 'foreign' : 'as-is',
    identity: fact.identity,
    presence: 'required',
  };
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

/** A small plan with every part that changes the host or the box. */
function plan(): Plan {
  const links = ['bin', 'lib', 'lib64'].flatMap((name): Mount[] =>
    pathFact(`/${name}`).kind === 'present' ? [{ kind: 'symlink', target: `/${name}`, to: `usr/${name}` }] : [],
  );
  return {
    command: { argv: ['touch', 'ran'], cwd: workspace, environment: { PATH: '/usr/bin' } },
    mounts: [
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 4096 },
      { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1 << 20 },
      bind('/usr', 'read-only'),
      ...links,
      bind(workspace, 'read-write'),
      { kind: 'file', target: '/run/x', mode: 0o444, content: 'x' },
    ],
    protection: {
      roots: [workspace],
      gitDirectories: [],
      shownRoots: [],
      guarded: [],
      released: [],
      names: [
        { components: ['.git', 'hooks'], effect: 'read-only', except: [], scope: 'anywhere', reason: '' },
        { components: ['.env'], effect: 'hidden', except: ['.env.x'], scope: 'anywhere', reason: '' },
      ],
    },
    landlock: {
      minimumAbi: 0,
      execution: 'any',
      rules: [
        { path: '/', access: 'read' },
        { path: workspace, access: 'write' },
      ],
    },
    seccomp: { ptrace: 'deny' },
    notify: { kind: 'guard', groups: ['creations', 'connections'] },
    programs: [],
    limits: { processes: 50, openFiles: 64, wall: 10_000, grace: 100, cgroups: cgroups() },
    network: { kind: 'closed' },
    requires: [],
  };
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
  encoded = encodePlan(plan(), {
    seccomp: seccompFilter({ architecture, ptrace: 'deny' }).bytes,
    notify: notifyFilter({ architecture, groups: ['creations'] }),
    stderr: 'direct',
  });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('the launcher with a plan that is', { timeout: 240_000 }, () => {
  test('valid runs the command, and leaves nothing behind', async () => {
    const before = leftovers();
    const ended = await launchWith(encoded);
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
    for (const length of lengths) refusedPlan(await launchWith(encoded.subarray(0, length), 'close'), 'read plan');
    expect(leftovers()).toEqual(before);
  });

  test('cut short with a matching length is refused, except after the last record', async () => {
    const before = leftovers();
    const random = numbers(2);
    const payload = encoded.subarray(headerSize);
    for (let round = 0; round < 80; round += 1) {
      const ended = await launchWith(withHeader(payload.subarray(0, Math.floor(random.next().value * payload.length))));
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
    refusedPlan(await launchWith(bytes(), 'close'), stage);
    expect(leftovers()).toEqual(before);
  });

  test('followed by more bytes ends the box, as the supervisor’s word does', async () => {
    const before = leftovers();
    const ended = await launchWith(Buffer.concat([encoded, Buffer.from('more')]));
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
      const ended = await launchWith(bytes, 'hold');
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
      expectWhole(await launchWith(withHeader(Buffer.concat(shuffled))), `round ${round}`);
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
  const bytes = encodePlan(
    { ...rest, protection: { ...protection, names, withholding: [workspace], approved: [] } },
    {
      seccomp: seccompFilter({ architecture, ptrace: 'deny' }).bytes,
      notify: notifyFilter({ architecture, groups: ['creations'] }),
      stderr: 'direct',
    },
  );
  const { reports } = await launchWith(bytes).finally(() => rmSync(join(workspace, 'sub'), { recursive: true }));
  const hidden = reports.flatMap((report) =>
    report.kind === 'protected' && report.effect === 'hidden' ? [report.path.toString()] : [],
  );
  expect(hidden.toSorted()).toEqual(['.a/b/c', '.a/b/d/e'].map((path) => join(workspace, 'sub', path)));
});
