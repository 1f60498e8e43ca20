import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { encodeSmall, launchWith, smallPlan } from '../lib/bare-launcher.ts';
import { binary, Project } from '../lib/holdfast.ts';

/** The kernels of the last years, by their Landlock version; 0 has none. */
const versions = [0, 1, 2, 3, 4, 5, 6, 7] as const;
let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-abi-'));
  execFileSync('cc', [
    '-O1',
    '-Wall',
    '-Wextra',
    '-o',
    join(scratch, 'abi'),
    join(import.meta.dirname, '../fixtures/landlock/abi.c'),
  ]);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** `holdfast` on a kernel with this Landlock version, with a pipe or a file as its stdin. */
function on(
  project: Project,
  version: number,
  { words, stdin = 'pipe' }: { readonly words: readonly string[]; readonly stdin?: 'pipe' | number },
) {
  return spawnSync(join(scratch, 'abi'), [String(version), binary, ...words], {
    cwd: project.workspace,
    env: project.environment,
    stdio: [stdin, 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  });
}

/** Attempts that Landlock refuses where it exists, in addition to the box's other controls. */
const attempts = `
echo x > /etc/made 2>/dev/null && echo wrote
cat "$OUTSIDE" 2>/dev/null && echo read
echo x > .git/hooks/pre-commit 2>/dev/null && echo hooked
cat .env 2>/dev/null && echo secret
kill -0 "$VICTIM" 2>/dev/null && echo signalled
echo done
`;

describe.runIf(process.platform === 'linux')('the native box on kernels of the last years', () => {
  test.each(versions)('Landlock %i: requests no unknown right, and confines equally', (version) => {
    using project = new Project();
    project.write('.env', 'canary\n');
    project.write('../outside', 'canary\n');
    const result = on(project, version, {
      words: ['run', '--', 'sh', '-c', `OUTSIDE=${project.root}/outside VICTIM=${process.pid}; ${attempts}`],
    });
    expect(result).toMatchObject({ status: 0, stdout: 'done\n' });
    expect(spawnSync('sh', ['-c', 'ls .git/hooks'], { cwd: project.workspace, encoding: 'utf8' }).stdout).not.toContain(
      'pre-commit\n',
    );
  });

  test.each([0, 1, 2] as const)(
    'Landlock %i: a file as stdin, which could be truncated, is refused by name and stays unchanged',
    (version) => {
      using project = new Project();
      const { result, after } = withFile(project, version);
      expect(result.stderr).toMatch(/missing guarantees: fs\.read fs\.write\n.*\[HF_GUARANTEE_MISSING\]\n$/u);
      expect([result.status, after]).toEqual([125, 'canary\n']);
    },
  );

  test.each([3, 7] as const)(
    'Landlock %i: a file as stdin can be read, and neither written nor truncated',
    (version) => {
      using project = new Project();
      const { result, after } = withFile(project, version);
      expect([result.status, result.stdout, after]).toEqual([0, 'canary\n', 'canary\n']);
    },
  );

  test('without Landlock a file as stdout is refused too: it could be read', () => {
    using project = new Project();
    const file = openSync(join(project.root, 'log'), 'a');
    const result = spawnSync(join(scratch, 'abi'), ['0', binary, 'run', '--', 'echo', 'ran'], {
      cwd: project.workspace,
      env: project.environment,
      stdio: ['ignore', file, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(file);
    expect(result).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('the stdout of the command') as string,
    });
    expect(readFileSync(join(project.root, 'log'), 'utf8')).toBe('');
  });
});

/** Gives a file of the host as stdin, read-only, to a box that tries to change it. */
function withFile(project: Project, version: number) {
  const path = join(project.root, 'given');
  writeFileSync(path, 'canary\n');
  const file = openSync(path, 'r');
  const program =
    'import os\nprint(os.read(0, 99).decode(), end="")\nfor call in (lambda: os.truncate("/proc/self/fd/0", 0), lambda: open("/proc/self/fd/0", "w").write("pwned")):\n  try: call()\n  except OSError: pass';
  const result = on(project, version, { words: ['run', '--', 'python3', '-c', program], stdin: file });
  closeSync(file);
  return { result, after: readFileSync(path, 'utf8') };
}

describe.runIf(process.platform === 'linux')('Landlock alone on kernels of the last years', () => {
  test.each([0, 1, 5] as const)('Landlock %i: is refused by name, and nothing runs', (version) => {
    using project = new Project();
    const result = on(project, version, { words: ['run', '--backend', 'landlock', '--', 'touch', 'ran'] });
    expect(result).toMatchObject({ status: 125, stderr: expect.stringMatching(/[Ll]andlock/u) as string });
    expect(spawnSync('ls', ['ran'], { cwd: project.workspace }).status).not.toBe(0);
  });
});

test.runIf(process.platform === 'linux').each([4, 5, 6, 7])(
  'Landlock %i: a box for another kernel starts, which needs mounts',
  async (version) => {
    const workspace = mkdtempSync(join(scratch, 'ws-'));
    const plan: Plan = { ...smallPlan(workspace, []), seccomp: { ptrace: 'deny', nesting: 'runtime' } };
    const by = [join(scratch, 'abi'), String(version)];
    expect(await launchWith({ bytes: encodeSmall(plan), workspace, by })).toMatchObject({ code: 0, ran: true });
  },
);
