import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, Project } from './lib/holdfast.ts';

function project(): Project {
  const made = new Project();
  made.write('../home/.config/holdfast/policy.toml', 'version = 1\n[commands]\nprograms = "installed"\n');
  return made;
}

/** Every mount that the box can write and that runs programs. */
const runnable = `awk '$6 ~ /^rw/ && $6 !~ /noexec/ { print $5 }' /proc/self/mountinfo`;

describe('a box of installed programs alone', () => {
  test.each([[], ['--staged']])('has no writable mount that runs programs, with %j', (...flags) => {
    using own = project();
    const mounts = own.inside(runnable, flags);
    expect(mounts).toMatchObject({ status: 0, stdout: '' });
  });

  test('the control: without the policy some exist', () => {
    using own = new Project();
    expect(own.inside(runnable).stdout).toContain(own.workspace);
  });

  test('works with interpreters and just-in-time compilers', () => {
    using own = project();
    own.write('script.sh', 'echo from a script\n');
    expect(own.inside('sh script.sh; node -p "[1, 2].map((each) => each * 2).join()"').stdout).toBe(
      'from a script\n2,4\n',
    );
  });

  // Attack: the caller's own file is on a mount that runs programs, and the box writes a program there.
  test.each([
    ['stdin', 0, 'r'],
    ['stdout', 1, 'w'],
  ] as const)('accepts no file as %s, and gives a remedy', (name, number, flags) => {
    using own = project();
    const { status, stderr } = withFile(own, number, flags);
    expect(status).toBe(125);
    expect(stderr).toMatch(new RegExp(`the ${name} of the command is a file.*put a pipe between`, 'su'));
  });

  test('accepts a file as stderr, which the launcher writes', () => {
    using own = project();
    expect(withFile(own, 2, 'w').status).toBe(0);
  });

  test.each(['bubblewrap', 'landlock'])('is refused by %s, which cannot enforce it', (backend) => {
    using own = project();
    expect(own.inside('true', ['--backend', backend])).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('fs.exec'),
    });
  });
});

function withFile(
  own: Project,
  number: number,
  flags: string,
): { readonly status: number | null; readonly stderr: string } {
  own.write('file', '');
  const file = openSync(join(own.workspace, 'file'), flags);
  try {
    return spawnSync(binary, ['run', '--', 'true'], {
      cwd: own.workspace,
      env: own.environment,
      stdio: [0, 1, 2].map((each) => (each === number ? file : 'pipe')),
      encoding: 'utf8',
    });
  } finally {
    closeSync(file);
  }
}
