import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { binary, Project } from '../lib/holdfast.ts';

const isRoot = process.getuid?.() === 0;

/** On a machine that lets no process make a user namespace below this one. */
function forbidden(project: Project, words: readonly string[], before: readonly string[] = []) {
  return spawnSync(
    'unshare',
    ['-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh', ...before, binary, ...words],
    { cwd: project.workspace, env: project.environment, encoding: 'utf8', timeout: 60_000 },
  );
}

describe.runIf(isRoot)('where user namespaces are forbidden', () => {
  test('auto names the missing parts, the reason against each backend, and the guarantees of Landlock alone', () => {
    using project = new Project();
    const { status, stderr } = forbidden(project, ['run', '--', 'touch', 'ran']);
    expect(status).toBe(125);
    expect(stderr).toMatch(
      /^holdfast: no backend meets the requirements here \(missing: [^)]*pid\): native: .*create namespaces.*; bubblewrap: .*; landlock: cannot enforce .*pid/u,
    );
    expect(stderr).toMatch(
      /--backend landlock holds \d+ of \d+ guarantees in the kernel, and .*pid in part \[HF_GUARANTEE_MISSING\]/u,
    );
  });

  test('a person may accept the gaps: the run says so, and the journal records it', () => {
    using project = new Project();
    const { status, stdout, stderr } = forbidden(project, ['run', '--backend', 'landlock', '--', 'echo', 'ran']);
    expect([status, stdout]).toEqual([0, 'ran\n']);
    expect(stderr).toMatch(/^holdfast: the landlock backend enforces only in part: .*pid.*\n$/u);
    const begun = readFileSync(join(project.state, 'journal.jsonl'), 'utf8')
      .split('\n')
      .find((line) => line.includes('session.start'));
    expect(JSON.parse(begun ?? '{}')).toMatchObject({
      backend: 'landlock',
      partial: expect.arrayContaining(['pid']) as string[],
    });
  });

  test('the proxy works without a box', () => {
    using project = new Project();
    const { stdout, stderr } = forbidden(project, ['proxy', '--host', 'example.com'], ['timeout', '-s', 'INT', '5']);
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^export http_proxy=/u) as string, stderr: '' });
  });

  test('auto chooses again when namespaces are allowed again', () => {
    using project = new Project();
    expect(forbidden(project, ['run', '--', 'true']).status).toBe(125);
    expect(project.holdfast(['run', '--', 'echo', 'ran'])).toMatchObject({ status: 0, stdout: 'ran\n', stderr: '' });
  });
});

test('a refused run claims no guarantees', () => {
  using project = new Project();
  const { status, stderr } = project.holdfast([
    'run',
    '--backend',
    'landlock',
    '--host',
    'example.com',
    '--forward',
    '8080',
    '--',
    'touch',
    'ran',
  ]);
  expect(
    [
      status,
      stderr.startsWith('holdfast: the landlock backend cannot enforce this plan: '),
      stderr.includes('in part only'),
    ],
    stderr,
  ).toEqual([125, true, false]);
});

describe('a policy’s statements about backends', () => {
  test('the project’s minimum is checked against the user’s choice, with both places', () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[backend]\nuse = "landlock"\n');
    project.write('holdfast.toml', 'version = 1\n[backend]\nminimum = "bubblewrap"\n');
    const { status, stderr } = project.holdfast(['run', '--', 'true']);
    expect(status).toBe(125);
    expect(stderr).toMatch(
      /the landlock backend cannot enforce here: .*policy\.toml:3 demands landlock, .*holdfast\.toml:3 requires pid/u,
    );
  });
});
