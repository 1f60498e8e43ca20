import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import type { LaunchOutcome } from '../src/backends/backend.ts';
import { nativeBackend } from '../src/backends/native/native.ts';
import type { Mount } from '../src/plan/mount.ts';
import type { Plan } from '../src/plan/types.ts';
import { repository } from './lib/holdfast.ts';

const launcher = join(repository, 'native/build/holdfast-launch');

function system(path: string): readonly Mount[] {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  if (lstatSync(path).isSymbolicLink()) return [{ kind: 'symlink', target: path, to: readlinkSync(path) }];
  const { dev, ino } = statSync(path, { bigint: true });
  return [
    {
      kind: 'bind',
      source: path,
      target: path,
      access: 'read-only',
      ownership: 'as-is',
      identity: { device: String(dev), inode: String(ino), type: 'directory' },
      presence: 'required',
    },
  ];
}

const protection: Plan['protection'] = {
  roots: [],
  gitDirectories: [],
  shownRoots: [],
  guarded: [],
  released: [],
  names: [],
};

function planOf(script: string): Plan {
  return {
    command: { argv: ['/bin/sh', '-c', script], cwd: '/', environment: {} },
    mounts: [
      { kind: 'devices', target: '/dev', shmSize: 1 << 20 },
      ...['/usr', '/bin', '/lib', '/lib64'].flatMap(system),
    ],
    protection,
    landlock: { minimumAbi: 0, execution: 'any', rules: [] },
    seccomp: { ptrace: 'deny' },
    notify: { kind: 'none' },
    programs: [],
    limits: { grace: 100, cgroups: [] },
    network: { kind: 'closed' },
    requires: [],
  };
}

/** A box whose supervisor gives orders without a pause until it hears of the end: signal 0, which does nothing. */
function ordered(plan: Plan): Promise<LaunchOutcome> {
  const box = nativeBackend.start(plan, { launcher, stdio: ['ignore', 'ignore', 'ignore'], stderr: 'direct' });
  const control = box.process.stdio[3] as Duplex;
  const order = (): void => {
    if (!control.writable) return;
    control.write(Buffer.from('s\0'));
    setImmediate(order);
  };
  order();
  return box.outcome;
}

test.each([
  ['that the command has ended', planOf('exit 7'), { exitCode: 7, failure: undefined }],
  [
    'that there is no such program',
    { ...planOf(''), command: { argv: ['/no/such/program'], cwd: '/', environment: {} } },
    { exitCode: 125, failure: { stage: 'exec', path: '/no/such/program' } },
  ],
  [
    'why there is no box',
    { ...planOf(''), protection: { ...protection, roots: ['/no/such/root'] } },
    { exitCode: 125, failure: { stage: 'open root', path: '/no/such/root' } },
  ],
])(
  'a supervisor that sends while the launcher leaves still hears %s',
  { timeout: 120_000 },
  async (_, plan, outcome) => {
    for (let round = 0; round < 30; round += 1) expect(await ordered(plan), `round ${round}`).toMatchObject(outcome);
  },
);

test.each([
  ['SIGTERM', 15],
  // As from a keyboard: it goes to the whole job.
  ['SIGINT', 2],
] as const)(
  '%s before a held command starts ends it like a later one',
  { timeout: 120_000 },
  async (signal, number) => {
    for (let round = 0; round < 30; round += 1) {
      const box = nativeBackend.start(planOf('exec sleep 60'), {
        launcher,
        stdio: ['ignore', 'ignore', 'ignore'],
        stderr: 'direct',
        command: 'held',
      });
      box.process.kill(signal);
      // Lets the order arrive alone, or together with the leave.
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round));
      box.begin();
      expect(await box.outcome, `round ${round}`).toMatchObject({ exitCode: 128 + number, failure: undefined });
    }
  },
);
