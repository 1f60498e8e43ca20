import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import type { LimitPlan, Plan } from '../../plan/types.ts';
import { directory, fullPlan, planWith } from '../testing/plan.ts';
import { encodePlan, recordKinds } from './encode-plan.ts';
import { PayloadReader, readRecords, type WireRecord } from './testing/records.ts';

const native = join(import.meta.dirname, '../../../native/src/launch/plan');
const seccomp = Buffer.from('0102030405060708', 'hex');

/** The constants of a C enum with their values: `enum NAME { A = 1, B }` of a source file. */
function enumOf(file: string, name: string): Readonly<Record<string, number>> {
  const source = readFileSync(join(native, file), 'utf8').replaceAll(/\/\*[^]*?\*\//gu, '');
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`, 'u').exec(source)?.[1];
  if (body === undefined) throw new Error(`${file} has no enum ${name}`);
  const values: Record<string, number> = {};
  let next = 0;
  for (const item of body
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')) {
    const [constant = '', value] = item.split(/\s*=\s*/u);
    next = value === undefined ? next : Number(value);
    values[constant] = next;
    next += 1;
  }
  return values;
}

function recordsOf(plan: Plan, kind: keyof typeof recordKinds): readonly WireRecord[] {
  return readRecords(encodePlan(plan, { seccomp, stderr: 'direct' })).filter(
    (record) => record.kind === recordKinds[kind],
  );
}

test.each([
  [{ kind: 'guard', groups: ['creations', 'connections'] }, 1],
  [{ kind: 'supervisor', groups: ['opens'] }, 2],
] as const)('%j: a second filter, and who listens', (notify, flags) => {
  const plan = planWith({ notify });
  const records = readRecords(encodePlan(plan, { seccomp, notify: seccomp, stderr: 'direct' })).filter(
    ({ kind }) => kind === recordKinds.notify,
  );
  expect(records).toMatchObject([{ flags, payload: seccomp }]);
  expect(recordsOf(plan, 'notify')).toEqual([]);
});

test('a plan of installed programs alone says so', () => {
  expect(recordsOf(planWith({ runnable: 'installed' }), 'installedOnly')).toHaveLength(1);
  expect(recordsOf(planWith({}), 'installedOnly')).toEqual([]);
});

function wordsOf(plan: Plan, kind: keyof typeof recordKinds): readonly (readonly string[])[] {
  return recordsOf(plan, kind).map(({ payload }) => new PayloadReader(payload).texts());
}

/** The payload of the only mount of a plan. */
function encodedMount(mount: Mount): { readonly flags: number; readonly payload: PayloadReader } {
  const [record, ...others] = recordsOf(planWith({ mounts: [mount] }), mount.kind);
  if (record === undefined || others.length > 0) throw new Error('expected one record');
  return { flags: record.flags, payload: new PayloadReader(record.payload) };
}

describe('the numbers of the wire form are those of the launcher', () => {
  const snake = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase();

  test('record kinds', () => {
    const known = enumOf('record.h', 'record');
    const names: Readonly<Record<string, string>> = { argument: 'ARG', environment: 'ENV' };
    const ours = Object.entries(recordKinds).map(([name, value]) => [`K_${names[name] ?? snake(name)}`, value]);
    expect(Object.fromEntries(ours)).toEqual(known);
  });

  test('kinds of mounts follow one another like their records, which the decoder relies on', () => {
    const known = enumOf('plan.h', 'mount_kind');
    const ours = (['bind', 'overlay', 'tmpfs', 'proc', 'devices', 'directory', 'symlink', 'mask', 'file'] as const).map(
      (kind) => [`M_${kind.toUpperCase()}`, recordKinds[kind] - recordKinds.bind],
    );
    expect(Object.fromEntries(ours)).toEqual(known);
  });

  test('file types', () => {
    expect(enumOf('plan.h', 'file_type')).toEqual({ T_OTHER: 0, T_FILE: 1, T_DIRECTORY: 2 });
    for (const [type, number] of [
      ['other', 0],
      ['file', 1],
      ['directory', 2],
    ] as const) {
      expect(
        encodedMount({ kind: 'overlay', lower: '/a', target: '/a', identity: { ...directory, type } }).flags >> 4,
      ).toBe(number);
    }
  });

  test('bind flags', () => {
    const source = readFileSync(join(native, 'plan.h'), 'utf8');
    expect(source).toContain(
      'enum { BIND_WRITABLE = 1, BIND_FOREIGN = 2, BIND_OPTIONAL = 4, BIND_AS_ROOT = 8, BIND_HELD = 64 }',
    );
    const plain = {
      kind: 'bind',
      source: '/a',
      target: '/a',
      access: 'read-only',
      ownership: 'as-is',
      identity: directory,
      presence: 'required',
    } as const;
    expect(encodedMount(plain).flags & 15).toBe(0);
    expect(encodedMount({ ...plain, access: 'read-write' }).flags & 15).toBe(1);
    expect(encodedMount({ ...plain, ownership: 'foreign' }).flags & 15).toBe(2);
    expect(encodedMount({ ...plain, presence: 'optional' }).flags & 15).toBe(4);
    expect(encodedMount({ ...plain, ownership: 'as-root' }).flags & 15).toBe(8);
    const held = encodedMount({ ...plain, names: 'held' }).flags;
    expect(held).toBe(encodedMount(plain).flags | 64);
  });

  test('effects on protected names', () => {
    expect(enumOf('plan.h', 'effect')).toEqual({
      EFFECT_PINNED: 0,
      EFFECT_READ_ONLY: 1,
      EFFECT_HIDDEN: 2,
      EFFECT_WITHHELD: 3,
    });
    expect(recordsOf(fullPlan, 'name').map(({ flags }) => flags)).toEqual([1, 2 | 4, 0]);
  });

  test('Landlock rights', () => {
    expect(enumOf('plan.h', 'access_kind')).toEqual({
      ACCESS_READ: 0,
      ACCESS_WRITE: 1,
      ACCESS_DEVICES: 2,
      ACCESS_EXECUTE: 3,
    });
    expect(recordsOf(fullPlan, 'landlockRule').map(({ flags }) => flags)).toEqual([0, 1, 2, 3]);
  });

  test('the list of programs does not depend on an existing one', () => {
    const { landlock } = fullPlan;
    for (const rules of [landlock.rules, []]) {
      expect(
        recordsOf(planWith({ landlock: { ...landlock, rules, execution: 'listed' } }), 'executionListed'),
      ).toHaveLength(1);
      expect(
        recordsOf(planWith({ landlock: { ...landlock, rules, execution: 'any' } }), 'executionListed'),
      ).toHaveLength(0);
    }
  });

  test('limits', () => {
    expect(enumOf('plan.h', 'limit_kind')).toEqual({
      L_DATA: 0,
      L_PROCESSES: 1,
      L_CPU_SECONDS: 2,
      L_FILE_SIZE: 3,
      L_OPEN_FILES: 4,
      L_WALL_MS: 5,
      L_GRACE_MS: 6,
      L_PRIVATE_DISK: 7,
      L_COUNT: 8,
    });
  });
});

describe('encodePlan', () => {
  test('keeps the command word by word, with empty words and every character', () => {
    expect(wordsOf(fullPlan, 'argument')).toEqual([['sh'], ['-c'], ['echo ünïcödé'], ['']]);
    expect(wordsOf(fullPlan, 'environment')).toEqual([['PATH=/usr/bin:/bin'], ['EMPTY='], ['TEXT=a=b\nc']]);
    expect(wordsOf(fullPlan, 'cwd')).toEqual([['/srv/project']]);
  });

  test('keeps the order of mounts', () => {
    const kinds = new Map<number, string>(Object.entries(recordKinds).map(([name, number]) => [number, name]));
    const wire = readRecords(encodePlan(fullPlan, { seccomp, stderr: 'direct' })).flatMap(({ kind }) =>
      kind >= recordKinds.bind && kind <= recordKinds.file ? [kinds.get(kind)] : [],
    );
    expect(wire).toEqual(fullPlan.mounts.map(({ kind }) => kind));
  });

  test('gives a bind its identity in 64 bits, then source and target', () => {
    const { payload } = encodedMount({
      kind: 'bind',
      source: '/from',
      target: '/to',
      access: 'read-only',
      ownership: 'as-is',
      identity: { device: '18446744073709551615', inode: '9007199254740993', type: 'file' },
      presence: 'required',
    });
    expect([payload.u64(), payload.u64(), payload.text(), payload.text()]).toEqual([
      2n ** 64n - 1n,
      2n ** 53n + 1n,
      '/from',
      '/to',
    ]);
    payload.end();
  });

  test('gives an overlay its lower directory before its target', () => {
    const { payload } = encodedMount({ kind: 'overlay', lower: '/lower', target: '/target', identity: directory });
    expect([payload.u64(), payload.u64(), payload.text(), payload.text()]).toEqual([
      BigInt(directory.device),
      BigInt(directory.inode),
      '/lower',
      '/target',
    ]);
    payload.end();
  });

  test('gives a tmpfs its mode and whole bytes', () => {
    const { payload } = encodedMount({ kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1000.7 });
    expect([payload.u32(), payload.u64(), payload.text()]).toEqual([0o1777, 1000n, '/tmp']);
    payload.end();
  });

  test('gives a symlink its text before its place', () => {
    const { payload } = encodedMount({ kind: 'symlink', target: '/bin', to: 'usr/bin' });
    expect([payload.text(), payload.text()]).toEqual(['usr/bin', '/bin']);
    payload.end();
  });

  test('gives a file its mode, content and place', () => {
    const { payload } = encodedMount({ kind: 'file', target: '/f', mode: 0o444, content: 'ü\n' });
    expect([payload.u32(), payload.u64(), payload.bytes(3).toString(), payload.text()]).toEqual([
      0o444,
      3n,
      'ü\n',
      '/f',
    ]);
    payload.end();
  });

  test('gives a file every byte of its content', () => {
    const { payload } = encodedMount({
      kind: 'file',
      target: '/f',
      mode: 0o444,
      content: Buffer.from([0, 255, 0]).toString('base64'),
      encoding: 'base64',
    });
    expect([payload.u32(), payload.u64(), [...payload.bytes(3)], payload.text()]).toEqual([
      0o444,
      3n,
      [0, 255, 0],
      '/f',
    ]);
    payload.end();
  });

  test('gives a protected name its components, then its exceptions', () => {
    const reader = new PayloadReader(recordsOf(fullPlan, 'name')[1]?.payload ?? Buffer.alloc(0));
    expect([reader.u16(), reader.u16(), ...reader.texts()]).toEqual([1, 2, '.env*', '.env.example', '.env.sample']);
    expect(wordsOf(fullPlan, 'root')).toEqual([['/srv/project'], ['/srv/bare.git'], ['/srv/shown']]);
    expect(wordsOf(fullPlan, 'shownRoot')).toEqual([['/srv/shown']]);
    expect(wordsOf(fullPlan, 'gitRoot')).toEqual([['/srv/bare.git']]);
    expect(wordsOf(fullPlan, 'released')).toEqual([['/srv/project/.env.test']]);
  });

  test('hands over the filter as it is', () => {
    expect(recordsOf(fullPlan, 'seccomp').map(({ payload }) => payload)).toEqual([seccomp]);
  });

  test('asks for the tail of stderr only when told', () => {
    const count = (stderr: 'direct' | 'tail'): number =>
      readRecords(encodePlan(fullPlan, { seccomp, stderr })).filter(({ kind }) => kind === recordKinds.tap).length;
    expect([count('direct'), count('tail')]).toEqual([0, 1]);
  });

  test('hands over the words and the data of a helper in order', () => {
    const encoded = encodePlan(fullPlan, {
      seccomp,
      stderr: 'direct',
      helper: { words: ['/usr/bin/bwrap', '@protect'], data: [Buffer.from('one\0'), Buffer.from('\0')] },
    });
    const texts = (kind: number): readonly string[] =>
      readRecords(encoded).flatMap((record) => (record.kind === kind ? new PayloadReader(record.payload).texts() : []));
    expect([texts(recordKinds.helper), texts(recordKinds.helperData)]).toEqual([
      ['/usr/bin/bwrap', '@protect'],
      ['one', ''],
    ]);
  });

  test.each<[string, Partial<Plan>]>([
    ['a word', { command: { ...fullPlan.command, argv: ['a\0b'] } }],
    ['a variable', { command: { ...fullPlan.command, environment: { A: 'a\0b' } } }],
    ['a path', { mounts: [{ kind: 'mask', target: '/a\0b', type: 'file' }] }],
  ])('refuses a NUL in %s, which would cut it short in the launcher', (_what, changes) => {
    expect(() => encodePlan(planWith(changes), { seccomp, stderr: 'direct' })).toThrow(
      expect.objectContaining({ code: 'HF_PATH_UNREPRESENTABLE' }),
    );
  });
});

describe('a staged layer on the wire', () => {
  const layer = {
    upper: { path: '/state/0/upper', identity: { ...directory, inode: '5' } },
    work: { path: '/state/0/work', identity: { ...directory, inode: '6' } },
  };

  test('is an overlay that goes on with its upper and its work directory, marked as writable', () => {
    const { flags, payload } = encodedMount({
      kind: 'overlay',
      lower: '/lower',
      target: '/target',
      identity: directory,
      layer,
    });
    const device = BigInt(directory.device);
    expect(flags).toBe(1 | (2 << 4));
    expect([payload.u64(), payload.u64(), payload.text()]).toEqual([device, BigInt(directory.inode), '/lower']);
    expect([payload.u64(), payload.u64(), payload.text()]).toEqual([device, 5n, '/state/0/upper']);
    expect([payload.u64(), payload.u64(), payload.text(), payload.text()]).toEqual([
      device,
      6n,
      '/state/0/work',
      '/target',
    ]);
    payload.end();
  });

  test('may be kept by another process', () => {
    expect(wordsOf(planWith({ keeper: '/state/id' }), 'keeper')).toEqual([['/state/id']]);
    expect(wordsOf(fullPlan, 'keeper')).toEqual([]);
  });
});

describe('limits on the wire', () => {
  const none: LimitPlan = { grace: 1000, cgroups: [] };
  const limitsOf = (limits: LimitPlan): Readonly<Record<number, bigint>> =>
    Object.fromEntries(
      recordsOf(planWith({ limits }), 'limit').map(({ flags, payload }) => [flags, new PayloadReader(payload).u64()]),
    );

  test("are in the launcher's units", () => {
    expect(limitsOf(fullPlan.limits)).toEqual({
      0: 1_000_000_000n,
      1: 100n,
      2: 2n,
      3: 2n ** 40n,
      4: 64n,
      5: 60_000n,
      6: 5000n,
      7: 7n,
    });
  });

  test('are left out if there are none', () => {
    expect(limitsOf(none)).toEqual({ 6: 1000n });
  });

  test('give every process at least one second of CPU time, because 0 kills it at once', () => {
    expect(limitsOf({ ...none, cpuTime: 1 })[2]).toBe(1n);
  });

  test('bound the address space only where no control group counts memory', () => {
    const group = (name: string): LimitPlan => ({
      ...none,
      memory: 5,
      cgroups: [{ directory: '/g', files: [{ name, value: '5' }] }],
    });
    expect(limitsOf({ ...none, memory: 5 })[0]).toBe(5n);
    expect(limitsOf(group('memory.max'))[0]).toBeUndefined();
    expect(limitsOf(group('memory.limit_in_bytes'))[0]).toBeUndefined();
    expect(limitsOf(group('pids.max'))[0]).toBe(5n);
  });

  test('name each control group before its files', () => {
    const limits: LimitPlan = {
      ...none,
      cgroups: [
        {
          directory: '/g/a',
          files: [
            { name: 'pids.max', value: '10' },
            { name: 'cpu.max', value: '1 2' },
          ],
        },
        { directory: '/g/b', files: [] },
      ],
    };
    const wire = readRecords(encodePlan(planWith({ limits }), { seccomp, stderr: 'direct' })).flatMap(
      ({ kind, payload }) =>
        kind === recordKinds.cgroup || kind === recordKinds.cgroupFile ? [new PayloadReader(payload).texts()] : [],
    );
    expect(wire).toEqual([['/g/a'], ['pids.max', '10'], ['cpu.max', '1 2'], ['/g/b']]);
  });
});

test('without mounts, only grants, private directories and the stand-in for namespaces are written', () => {
  const plan = planWith({ confinement: 'landlock', network: { kind: 'closed' } });
  const kinds = readRecords(encodePlan(plan, { seccomp, plain: seccomp, stderr: 'direct' })).map(({ kind }) => kind);
  expect(
    kinds
      .filter((kind) => kind >= recordKinds.bind && kind <= recordKinds.file)
      .every((kind) => kind === recordKinds.bind || kind === recordKinds.tmpfs),
  ).toBe(true);
  expect(kinds.filter((kind) => kind === recordKinds.plain)).toHaveLength(1);
  expect(recordsOf(planWith({}), 'plain')).toEqual([]);
});
