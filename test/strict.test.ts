import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { openSession } from '../src/session/session.ts';
import { binary, has, Project } from './lib/holdfast.ts';

const strict = ['--strict'];
const token = `ghp_${'a1B2'.repeat(9)}`;

/** Runs the script in an ordinary box, which is the control, and in a strict one. */
function both(script: string, flags: readonly string[] = []) {
  const [usual, narrow] = [new Project(), new Project()];
  return {
    usual: usual.inside(script, flags),
    strict: narrow.inside(script, [...strict, ...flags]),
    workspaces: { usual: usual.workspace, strict: narrow.workspace },
  };
}

/** The same on its own terminal. */
function atTerminal(project: Project, flags: readonly string[], script: string) {
  const command = [binary, 'run', ...flags, '--', 'sh', '-c', `'${script}'`].join(' ');
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: project.workspace,
    env: { ...project.environment, TERM: 'xterm' },
    encoding: 'utf8',
    input: 'typed\n',
    timeout: 60_000,
  });
}

describe('a strict box', () => {
  test('sees directories through an overlay, without a mask on any file of the host', () => {
    using project = new Project();
    using outside = new Project();
    outside.write('.env', 'first\n');
    outside.write('a/plain', 'plain\n');
    const path = join(outside.workspace, '.env');
    const script = `cat ${outside.workspace}/a/plain; cat ${path} 2>/dev/null; grep -c "^[^ ]* [^ ]* [^ ]* / ${outside.workspace} .* - overlay" /proc/self/mountinfo`;
    const { stdout } = project.inside(script, [...strict, '--read', outside.workspace]);
    expect(stdout).toBe('plain\n1\n');
  });

  test.runIf(process.getuid?.() === 0)('starts nothing if it cannot hold the names of a shown directory', () => {
    using project = new Project();
    using outside = new Project();
    outside.write('.env', '');
    outside.write('disk/x', '');
    const mounted = spawnSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        `mount -t tmpfs none ${outside.workspace}/disk && exec ${binary} run --strict --read ${outside.workspace} -- echo began`,
      ],
      { cwd: project.workspace, env: project.environment, encoding: 'utf8' },
    );
    expect(mounted.stdout).toBe('');
    expect(mounted.stderr).toMatch(/names below .* cannot be held apart.*\[HF_GUARANTEE_MISSING\]/su);
  });

  test('stages its writes by default', () => {
    const { usual, strict: narrow, workspaces } = both('echo written > new');
    expect([usual.status, narrow.status]).toEqual([0, 0]);
    expect([existsSync(join(workspaces.usual, 'new')), existsSync(join(workspaces.strict, 'new'))]).toEqual([
      true,
      false,
    ]);
    expect(narrow.stderr).toMatch(/1 path changed, none on the host yet: holdfast review \S+/u);
  });

  test('shows escape sequences and invisible characters', () => {
    const { usual, strict: narrow } = both(String.raw`printf '\033]52;c;Zm9v\007\342\200\213.'`);
    expect(usual.stdout).toBe('\u001B]52;c;Zm9v\u0007\u200B.');
    expect(narrow.stdout).toBe('⟦OSC 52⟧⟦U+200B⟧.');
  });

  test('gets no secret from a named variable', () => {
    const [usual, narrow] = [new Project(), new Project()];
    const ask = (project: Project, flags: readonly string[]) =>
      spawnSync(binary, ['run', '--env', 'MY_TOKEN', ...flags, '--', 'sh', '-c', 'echo "[$MY_TOKEN]"'], {
        cwd: project.workspace,
        env: { ...project.environment, MY_TOKEN: token },
        encoding: 'utf8',
      }).stdout;
    expect([ask(usual, []), ask(narrow, strict)]).toEqual([`[${token}]\n`, '[]\n']);
  });

  test('has tight limits, which the user’s policy file cannot raise', () => {
    const project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[limits]\nopen_files = 8000\nprocesses = 4000\n',
    );
    const asked = 'ulimit -n; ulimit -t';
    expect(project.inside(asked).stdout).toBe('8000\nunlimited\n');
    expect(project.inside(asked, strict).stdout).toBe('4096\n600\n');
  });

  test('runs code in an argument, unless the policy has rules about commands', () => {
    const { strict: narrow } = both(`node -e 'console.log(40 + 2)'`);
    expect([narrow.status, narrow.stdout]).toEqual([0, '42\n']);
  });

  test('stops endless output', () => {
    const { strict: narrow } = both('true');
    expect(narrow.status).toBe(0);
    const project = new Project();
    const ended = spawnSync('sh', ['-c', `"${binary}" run --strict -- yes | wc -c`], {
      cwd: project.workspace,
      env: project.environment,
      encoding: 'utf8',
      timeout: 100_000,
    });
    expect(Number(ended.stdout)).toBe(64 * 1024 * 1024);
    expect(ended.stderr).toContain('the output ends here');
  });

  test('does not start if a guarantee has gaps', () => {
    const result = new Project().inside('echo ran', ['--strict', '--backend', 'landlock']);
    expect([result.status, result.stdout]).toEqual([125, '']);
    expect(result.stderr).toMatch(/HF_GUARANTEE_MISSING|cannot enforce|does not hold/u);
  });
});

describe.skipIf(!has('script'))('at a terminal', () => {
  const tell =
    'test -t 0; echo "in $?"; (echo typed-by-the-box > /dev/tty) 2>/dev/null; echo "tty $?"; read -r word; echo "read $word"';

  test('an ordinary box has it', () => {
    expect(atTerminal(new Project(), [], tell).stdout).toMatch(/in 0\r?\n[^]*tty 0\r?\n/u);
  });

  test('a strict one lacks it, and reads the input', () => {
    const { stdout } = atTerminal(new Project(), strict, tell);
    expect(stdout).toMatch(/in 1\r?\n/u);
    expect(stdout).toMatch(/tty 2\r?\n/u);
    expect(stdout).toMatch(/read typed\r?\n/u);
    expect(stdout).not.toContain('typed-by-the-box');
  });
});

describe('strict = true', () => {
  const policy = 'version = 1\nstrict = true\n';

  test.each(['user', 'project'])('of the %s applies to every run', (layer) => {
    const project = new Project();
    project.write(layer === 'user' ? '../home/.config/holdfast/policy.toml' : 'holdfast.toml', policy);
    const { status, stderr } = project.inside('echo written > new');
    expect([status, existsSync(join(project.workspace, 'new'))]).toEqual([0, false]);
    expect(stderr).toContain('none on the host yet');
  });

  test('is shown line by line', () => {
    const project = new Project();
    project.write('holdfast.toml', policy);
    const { stdout } = project.holdfast(['policy', 'show']);
    expect(stdout).toMatch(/network\.inspect\s+every-host/u);
    expect(stdout).toMatch(/limits\.processes\s+256/u);
  });

  test.each([
    ['learn', ['learn', '--', 'true']],
    ['a wrapped server of MCP', ['mcp', 'wrap', '--name', 'x', '--', 'cat']],
  ])('%s refuses, and starts nothing', (_, words) => {
    const project = new Project();
    project.write('../home/.config/holdfast/policy.toml', policy);
    const { status, stderr } = project.holdfast(words);
    expect(status).not.toBe(0);
    expect(stderr).toContain('the policy is strict');
    expect(readdirSync(project.workspace)).toEqual(['.git']);
  });
});

describe('--strict', () => {
  test.each([
    ['learn', ['learn', '--strict', '--', 'sh', '-c', 'echo x > new']],
    ['a wrapped server of MCP', ['mcp', 'wrap', '--strict', '--name', 'x', '--', 'sh', '-c', 'echo x > new']],
    ['a tool', ['tool', 'run', '--strict', 'tool.toml']],
  ])('of %s is refused, never dropped', (_, words) => {
    const project = new Project();
    const { status, stderr } = project.holdfast(words);
    expect(status).not.toBe(0);
    expect(stderr).toContain('HF_STRICT');
    expect(readdirSync(project.workspace)).toEqual(['.git']);
  });

  test('of a command of the server is refused before a session opens', () => {
    const project = new Project();
    const { pid } = JSON.parse(project.holdfast(['serve', '--detach', '--json']).stdout) as { readonly pid: number };
    try {
      const { status, stderr } = project.holdfast(['exec', '--strict', 'build', '--', 'sh', '-c', 'echo x > new']);
      expect([status, readdirSync(project.workspace)]).toEqual([125, ['.git']]);
      expect(stderr).toContain('HF_STRICT');
      expect(project.holdfast(['ps', '--json']).stdout).not.toContain('build');
    } finally {
      process.kill(pid);
    }
  });

  // Attack: the policy file changes during the session, and the session judges its network again.
  test('applies to policies that are read later', async () => {
    const project = new Project();
    const session = await openSession({
      cwd: project.workspace,
      environment: project.libraryEnvironment,
      strict: true,
      whenStrict: 'starts-nothing',
    });
    expect(session.ceilings.map(({ file }) => file)).toEqual(['--strict']);
    session.approvals.close();
  });
});

describe('the library', () => {
  test('stages under `strict: true`, and cannot become strict later', async () => {
    const project = new Project();
    const place = { workspace: project.workspace, environment: project.libraryEnvironment };
    {
      await using sandbox = await Sandbox.create({ ...place, strict: true });
      const { exitCode } = await sandbox.commands.run(['sh', '-c', 'echo x > new']);
      expect([exitCode, existsSync(join(project.workspace, 'new')), sandbox.policy.current().manner]).toEqual([
        0,
        false,
        'strict',
      ]);
      await sandbox.discard();
    }
    await using usual = await Sandbox.create(place);
    await expect(usual.policy.narrow('version = 1\nstrict = true\n')).rejects.toMatchObject({ code: 'HF_USAGE' });
  });
});
