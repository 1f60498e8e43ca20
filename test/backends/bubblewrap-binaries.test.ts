import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { binary, has, Project } from '../lib/holdfast.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot || !has('bwrap'))
  console.warn('SKIPPED: bad binaries of bubblewrap, because putting one in its place needs root and bubblewrap');

/** A replacement at bubblewrap's fixed place, with the expected message. `real` is the real program. */
const binaries: readonly (readonly [string, string, RegExp])[] = [
  ['exits at once, whatever it is asked', 'exit 0', /the bubblewrap backend is not available here/u],
  ['is too old', 'echo bubblewrap 0.7.1', /the bubblewrap backend is not available here/u],
  ['says nothing that is a version', 'echo yes', /the bubblewrap backend is not available here/u],
  [
    'hangs when it is asked for its version',
    'trap "" TERM; exec sleep 600',
    /the bubblewrap backend is not available here/u,
  ],
  [
    'lies: it is new, and builds nothing',
    '[ "$1" = --version ] && echo bubblewrap 9.9.9; exit 0',
    /bubblewrap did not build the box/u,
  ],
  [
    'lies: it knows no namespaces, and starts what it is told',
    '[ "$1" = --version ] && echo bubblewrap 9.9.9 && exit; while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    /bubblewrap did not build the box/u,
  ],
  [
    'knows no option that newer ones know',
    '[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; for word; do [ "$word" != --perms ] || { echo "bwrap: Unknown option --perms" >&2; exit 1; }; done; exec "$REAL" "$@"',
    /bubblewrap did not build the box/u,
  ],
  ['cannot be started', '#', /bubblewrap/u],
];

/** `holdfast` on a machine where this script is bubblewrap, in its own mount namespace. */
function withBinary(project: Project, script: string, words: readonly string[]) {
  const fake = project.write(
    '../fake',
    `#!${script === '#' ? '/no/such/program' : '/bin/sh'}\nREAL=${project.root}/real\n${script}\n`,
  );
  const setUp = 'cp /usr/bin/bwrap "$2" && chmod 755 "$1" && mount --bind "$1" /usr/bin/bwrap && shift 2 && exec "$@"';
  return spawnSync('unshare', ['-m', 'sh', '-c', setUp, 'sh', fake, join(project.root, 'real'), binary, ...words], {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
    timeout: 60_000,
  });
}

describe.runIf(isRoot && has('bwrap'))('a bwrap that is not bubblewrap', () => {
  test.each(binaries)('%s: is refused in one line that names it, and nothing runs', (_, script, reason) => {
    using project = new Project();
    const { status, stderr, pid } = withBinary(project, script, [
      'run',
      '--backend',
      'bubblewrap',
      '--',
      'touch',
      'ran',
    ]);
    expect([stderr.split('\n').find((line) => line.startsWith('holdfast: ')), stderr]).toEqual([
      expect.stringMatching(reason),
      expect.stringMatching(/^holdfast: to fix it: .+ \[HF_[A-Z_]+\]$/mu),
    ]);
    expect(status).toBe(125);
    expect(existsSync(join(project.workspace, 'ran'))).toBe(false);
    expect(controlGroupsOf(pid)).toEqual([]);
  });

  test('does not affect auto’s choice of the native box, nor the output of `holdfast backends`', () => {
    using project = new Project();
    const liar = '[ "$1" = --version ] && echo bubblewrap 9.9.9; exit 0';
    expect(withBinary(project, liar, ['run', '--', 'echo', 'ran'])).toMatchObject({ status: 0, stdout: 'ran\n' });
    const { stdout } = withBinary(project, liar, ['backends']);
    expect(stdout).toMatch(/^bubblewrap +does not work \(bubblewrap 9\.9\.9\): bubblewrap did not build the box/mu);
    expect(stdout).toMatch(/^auto +uses native/mu);
  });
});

/** Remaining control groups of this process's boxes: their names contain its number. */
function controlGroupsOf(pid: number): readonly string[] {
  return ['/sys/fs/cgroup', '/sys/fs/cgroup/pids'].flatMap((directory) =>
    existsSync(directory) ? readdirSync(directory).filter((name) => name.includes(`-${pid.toString(36)}-`)) : [],
  );
}
