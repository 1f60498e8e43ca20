import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodePlan } from '../src/backends/launcher/encode-plan.ts';
import { type LauncherReport, ReportReader } from '../src/backends/launcher/reports.ts';
import { planWith } from '../src/backends/testing/plan.ts';
import { removeTree } from '../src/kernel/index.ts';
import type { LayerDirectory, OverlayMount } from '../src/plan/mount.ts';
import { seccompFilter } from '../src/plan/seccomp/filter.ts';
import type { Plan } from '../src/plan/types.ts';
import { repository } from './lib/holdfast.ts';

const seccomp = seccompFilter({ architecture: process.arch === 'arm64' ? 'arm64' : 'x64', ptrace: 'deny' }).bytes;

/** A root with a layer over it, and the plan of a command that writes there. */
function scene() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-hostile-')));
  onTestFinished(() => removeTree(top));
  const [root, upper, work] = ['root', 'upper', 'work'].map(
    (name) => (mkdirSync(join(top, name)), join(top, name)),
  ) as [string, string, string];
  const bind = (path: string) =>
    ({
      kind: 'bind',
      source: path,
      target: path,
      access: 'read-only',
      ownership: 'as-is',
      identity: identified(path).identity,
      presence: 'required',
    }) as const;
  const overlay: OverlayMount = {
    kind: 'overlay',
    lower: root,
    target: root,
    identity: identified(root).identity,
    layer: { upper: identified(upper), work: identified(work) },
  };
  const links = ['bin', 'lib', 'lib64'].map(
    (name) => ({ kind: 'symlink', target: `/${name}`, to: `usr/${name}` }) as const,
  );
  const plan = planWith({
    command: { argv: ['/usr/bin/touch', join(root, 'made')], cwd: '/', environment: {} },
    mounts: [
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 1 << 20 },
      ...links,
      bind('/usr'),
      overlay,
    ],
    protection: { roots: [root], shownRoots: [], gitDirectories: [], names: [], guarded: [], released: [] },
    landlock: {
      minimumAbi: 0,
      execution: 'any',
      rules: [
        { path: '/', access: 'read' },
        { path: root, access: 'write' },
      ],
    },
    limits: { grace: 1000, cgroups: [] },
  });
  return { top, root, upper, work, plan, overlay };
}

function identified(path: string): LayerDirectory {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, identity: { device: String(dev), inode: String(ino), type: 'directory' } };
}

async function launchWith(
  plan: Plan,
  mode: readonly string[] = [],
  bytes = encodePlan(plan, { seccomp, stderr: 'direct' }),
): Promise<readonly LauncherReport[]> {
  const child = spawn(join(repository, 'native/build/holdfast-launch'), mode, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: {},
    cwd: '/',
    timeout: 20_000,
  });
  const control = child.stdio[3] as Duplex;
  const [reader, reports] = [new ReportReader(), [] as LauncherReport[]];
  control.on('data', (chunk: Buffer) => reports.push(...reader.push(chunk)));
  control.on('error', () => undefined);
  control.write(bytes);
  await Promise.all([once(child, 'exit'), once(control, 'close')]);
  return reports;
}

const failure = (reports: readonly LauncherReport[]) => reports.find((report) => report.kind === 'failed');

describe('the launcher, given a staged layer', () => {
  test('the control: a valid layer is written, and the root is not', async () => {
    const { plan, root, upper } = scene();
    const reports = await launchWith(plan);
    expect(failure(reports)).toBeUndefined();
    expect([readdirSync(upper), readdirSync(root)]).toEqual([['made'], []]);
  });

  test.each(['upper', 'work'] as const)(
    'refuses another directory in place of the %s one, and a symlink to it',
    async (which) => {
      const { plan, top, root, [which]: directory } = scene();
      renameSync(directory, join(top, 'away'));
      symlinkSync('away', directory);
      expect(failure(await launchWith(plan))).toMatchObject({ stage: 'open staged layer', path: directory });
      renameSync(directory, join(top, 'link'));
      mkdirSync(directory);
      expect(failure(await launchWith(plan))).toMatchObject({ stage: 'source changed', path: directory });
      expect(readdirSync(root)).toEqual([]);
    },
  );

  test('refuses another directory in place of the root', async () => {
    const { plan, root, top, upper } = scene();
    renameSync(root, join(top, 'away'));
    mkdirSync(root);
    expect(failure(await launchWith(plan))).toMatchObject({ stage: 'source changed', path: root });
    expect(readdirSync(upper)).toEqual([]);
  });

  test('runs nothing if a plan names a missing keeper', async () => {
    const { plan, top, root, upper } = scene();
    expect(failure(await launchWith({ ...plan, keeper: top }))).toMatchObject({ stage: 'reach staged layer' });
    expect([readdirSync(upper), readdirSync(root)]).toEqual([[], []]);
  });

  test('keeps nothing without a named place', async () => {
    expect(failure(await launchWith(scene().plan, ['keep']))).toMatchObject({ stage: 'decode plan' });
  });

  test('refuses a record that is cut short at any byte', async () => {
    const { plan, overlay, root } = scene();
    const whole = encodePlan({ ...plan, mounts: [overlay] }, { seccomp, stderr: 'direct' });
    const at = whole.indexOf(overlay.layer?.upper.path ?? '');
    const [start, size] = [whole.indexOf(root) - 16, whole.readUInt32LE(whole.indexOf(root) - 20)];
    expect(at).toBeGreaterThan(start);
    for (let keep = 0; keep < size; keep += 7) {
      const short = Buffer.concat([
        whole.subarray(0, start),
        whole.subarray(start, start + keep),
        whole.subarray(start + size),
      ]);
      short.writeUInt32LE(keep, start - 4);
      short.writeUInt32LE(short.length - 8, 4);
      expect(failure(await launchWith(plan, [], short)), `${keep} of ${size} bytes`).toMatchObject({
        stage: 'decode plan',
      });
    }
  });
});
