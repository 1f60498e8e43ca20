import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { plant, scratchDirectory } from '../testing/scratch.ts';
import { cgroupFacts, removeDeadGroups } from './cgroups.ts';

/** A tree that replaces /sys/fs/cgroup, and the text of /proc/self/cgroup. */
function host(files: Readonly<Record<string, string>>, membership: string): readonly [string, string] {
  const directory = scratchDirectory();
  plant(directory, { 'fs/': '', membership });
  plant(join(directory, 'fs'), files);
  return [join(directory, 'fs'), join(directory, 'membership')];
}

describe('version 2', () => {
  const delegated = { 'user.slice/me/cgroup.subtree_control': 'cpu memory pids\n' };

  test('a delegated group hands down its controllers', () => {
    const [root, membership] = host(delegated, '0::/user.slice/me\n');
    expect(cgroupFacts(root, membership)).toEqual({
      kind: 'v2',
      directory: join(root, 'user.slice/me'),
      controllers: ['memory', 'pids', 'cpu'],
    });
  });

  test('in a container the own group is the root of the hierarchy', () => {
    const [root, membership] = host({ 'cgroup.subtree_control': 'pids io\n' }, '0::/\n');
    expect(cgroupFacts(root, membership)).toEqual({ kind: 'v2', directory: root, controllers: ['pids'] });
  });

  test.each([
    ['hands nothing down', '\n'],
    ['hands down nothing that limits', 'cpuset io hugetlb rdma misc\n'],
    ['hands down a controller that merely begins like one', 'memoryx cpuset\n'],
  ])('a group that %s is unusable', (_what, control) => {
    const [root, membership] = host({ 'me/cgroup.subtree_control': control }, '0::/me\n');
    expect(cgroupFacts(root, membership)).toMatchObject({ kind: 'none', reason: expect.stringContaining(root) });
  });

  test('a group that this user may not write is unusable', () => {
    const [root, membership] = host(delegated, '0::/user.slice/me\n');
    chmodSync(join(root, 'user.slice/me'), 0o555);
    chmodSync(join(root, '..'), 0o755);
    if (process.getuid?.() !== 0) {
      expect(cgroupFacts(root, membership)).toMatchObject({ kind: 'none' });
      return;
    }
    const script = `import { cgroupFacts } from '${join(import.meta.dirname, 'cgroups.ts')}'; console.log(cgroupFacts(process.argv[1], process.argv[2]).kind);`;
    const { stdout } = spawnSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', script, root, membership],
      { uid: 65_534, encoding: 'utf8' },
    );
    expect(stdout).toBe('none\n');
  });
});

describe('version 1', () => {
  const all = '3:memory:/\n2:pids:/box\n1:cpu,cpuacct:/\n';

  test('every hierarchy that may be written, at the own place in it', () => {
    const [root, membership] = host({ 'memory/tasks': '', 'pids/box/tasks': '', 'cpu/tasks': '' }, all);
    expect(cgroupFacts(root, membership)).toEqual({
      kind: 'v1',
      directories: { memory: join(root, 'memory'), pids: join(root, 'pids/box'), cpu: join(root, 'cpu') },
    });
  });

  test('a hierarchy whose own place is not visible here is left out', () => {
    const [root, membership] = host({ 'memory/tasks': '', 'pids/tasks': '' }, '3:memory:/docker/0123\n2:pids:/\n');
    expect(cgroupFacts(root, membership)).toEqual({ kind: 'v1', directories: { pids: join(root, 'pids') } });
  });

  test('a mixed host, where version 2 hands nothing down', () => {
    const [root, membership] = host({ 'memory/tasks': '', 'unified/cgroup.subtree_control': '' }, `${all}0::/\n`);
    expect(cgroupFacts(root, membership)).toMatchObject({ kind: 'v1' });
  });
});

describe('none', () => {
  test.each(['', 'garbage\n', '0::\n', '0::/../../..\n'])('with the membership %j and nothing mounted', (text) => {
    const [root, membership] = host({}, text);
    expect(cgroupFacts(root, membership)).toMatchObject({ kind: 'none' });
  });

  test('without procfs', () => {
    const [root] = host({}, '');
    expect(cgroupFacts(root, join(root, 'missing'))).toMatchObject({ kind: 'none' });
  });
});

test('groups of dead supervisors go when they are old and empty, and nothing else', () => {
  const directory = mkdtempSync(join(tmpdir(), 'groups-'));
  const dead = spawnSync('true').pid.toString(36);
  const names = {
    empty: `holdfast-time-${dead}-1.2`,
    used: `holdfast-time-${dead}-3.4`,
    living: `holdfast-time-${process.pid.toString(36)}-1.2`,
    other: 'docker',
    hostile: `holdfast-hostile-${process.pid}`,
  };
  for (const name of Object.values(names)) mkdirSync(join(directory, name));
  writeFileSync(join(directory, names.used, 'file'), '');
  const own = [join(directory, 'holdfast-time-me-5.6')];
  removeDeadGroups(own);
  expect(readdirSync(directory)).toHaveLength(5);
  removeDeadGroups(own, Date.now() + 120_000);
  expect(readdirSync(directory).sort()).toEqual([names.used, names.living, names.other, names.hostile].sort());
  removeDeadGroups([join(directory, 'missing/x')]);
  rmSync(directory, { recursive: true });
});
