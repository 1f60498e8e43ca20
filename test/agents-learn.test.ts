import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { binary, has, Project } from './lib/holdfast.ts';

interface Work {
  readonly argv: readonly string[];
  readonly prepare: (project: Project) => void;
  /** Lines of the proposal, without their comments. */
  readonly lines: readonly string[];
  /** The mark of a successful run. */
  readonly result: (project: Project, stdout: string) => string;
}

const works: Readonly<Record<string, Work>> = {
  git: {
    argv: ['git', 'config', '--get-regexp', 'shared|team'],
    prepare: (project) => {
      project.write('../home/.settings/team.inc', '[team]\n\tname = red\n');
      project.write('../home/.settings/shared.inc', '[shared]\n\tcolour = blue\n');
      project.outside('git', ['config', '--add', 'include.path', join(project.home, '.settings/team.inc')]);
      project.outside('git', ['config', '--add', 'include.path', join(project.home, '.settings/shared.inc')]);
    },
    lines: ['"~/.settings/team.inc"', '"~/.settings/shared.inc"'],
    result: (_project, stdout) => stdout,
  },
  python: {
    argv: ['python3', 'work.py'],
    prepare: (project) => {
      project.write('../home/.tool/config.json', '{"greeting":"hello"}');
      project.write('../home/.tool/log/old.log', 'old\n');
      project.write(
        'work.py',
        'import json, os\nhome = os.path.expanduser("~/.tool")\nprint(json.load(open(home + "/config.json"))["greeting"])\nfor name in ["none", "config.yaml"]:\n    os.path.exists(home + "/" + name)\nopen(home + "/log/new.log", "w").write("x")\n',
      );
    },
    lines: ['"~/.tool/config.json"', '"~/.tool/log"'],
    result: (_project, stdout) => stdout,
  },
  npm: {
    argv: ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier', '--cache', '/tmp/cache'],
    prepare: (project) => {
      project.write('../home/packages/package/package.json', '{"name":"left","version":"1.0.0"}');
      project.outside('tar', [
        '-czf',
        join(project.home, 'packages/left.tgz'),
        '-C',
        join(project.home, 'packages'),
        'package',
      ]);
      project.write(
        'package.json',
        `{"name":"app","version":"1.0.0","dependencies":{"left":"file:${join(project.home, 'packages/left.tgz')}"}}`,
      );
    },
    lines: ['"~/packages/left.tgz"'],
    result: (project) => {
      const installed = readdirSync(join(project.workspace), { recursive: true }).filter((path) =>
        String(path).endsWith('left/package.json'),
      );
      project.outside('rm', ['-rf', 'node_modules', 'package-lock.json']);
      return installed.join();
    },
  },
};

describe.each(Object.keys(works))('learn, of %s', (name) => {
  const work = works[name] as Work;

  test.skipIf(!has(work.argv[0] ?? ''))(
    'proposes the needed grants, changes nothing, and the run differs without any line of the proposal',
    () => {
      using project = new Project();
      work.prepare(project);
      const before = project.outside('find', ['.', project.home, '-not', '-path', '*/.local*']).stdout;
      const learned = project.holdfast(['learn', '--output', '../proposal.toml', '--', ...work.argv]);
      expect(learned.status, learned.stderr).toBe(0);
      expect(project.outside('find', ['.', project.home, '-not', '-path', '*/.local*']).stdout).toBe(before);

      const proposal = readFileSync(join(project.root, 'proposal.toml'), 'utf8');
      const lines = proposal.split('\n').filter((line) => line.startsWith('  '));
      expect(lines.map((line) => line.trim().replace(/, # .*$/u, ''))).toEqual(expect.arrayContaining([...work.lines]));
      expect(lines, proposal).toHaveLength(work.lines.length);
      for (const line of lines)
        expect(line).toMatch(/ # (?:opened|changed|made something in it|connected to) (?:once|\d+ times)$/u);

      const runWith = (policy: string): string => {
        project.write('../home/.config/holdfast/policy.toml', policy);
        const { status, stdout } = project.holdfast(['run', '--', ...work.argv]);
        return `${status} ${work.result(project, stdout)}`;
      };
      const whole = runWith(proposal);
      expect(whole).toMatch(/^0 ./u);
      for (const line of lines) expect(runWith(proposal.replace(`${line}\n`, '')), line).not.toBe(whole);
    },
  );
});

test('a wanted credential is reported, not proposed; a host is noted, not reached', () => {
  using project = new Project();
  project.write('../home/.aws/credentials', 'EXAMPLE-canary');
  const { stdout, stderr } = project.holdfast([
    'learn',
    '--',
    'sh',
    '-c',
    'cat ~/.aws/credentials; getent hosts nobody.example.com >/dev/null; exec 3<>/dev/null; curl -s -m 5 https://nobody.example.com || true',
  ]);
  expect(stdout).not.toMatch(/aws|canary/u);
  expect(stderr).toMatch(/wanted, not proposed: read \S*\/\.aws\/credentials: .*credential store/u);
  if (has('curl')) expect(stdout).toMatch(/hosts = \[\n {2}"nobody\.example\.com:443", # connected to /u);
});

// Attack: a recorded command reads a file whose name contains lines of a policy, or requests a host whose name is a
// word of one.
test('odd names are reported, not proposed, and do not affect the others', () => {
  using project = new Project();
  project.write('../home/.tool/plain', 'x');
  project.write('../home/.tool/[a]*', 'x');
  project.write('../home/.tool/a\n]\nwrite = ["~"]\n#', 'x');
  project.write('../home/.tool/\u202Etxt.\u001B[2J', 'x');
  const { status, stdout, stderr } = project.holdfast([
    'learn',
    '--',
    'sh',
    '-c',
    'cat ~/.tool/*; command -v curl >/dev/null && curl -s -m 5 https://any/ >/dev/null; true',
  ]);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^xxxx# grants /u);
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim().replace(/, # .*$/u, ''));
  expect(lines.toSorted()).toEqual([String.raw`"~/.tool/[a]\\*"`, '"~/.tool/plain"']);
  expect(stdout).not.toMatch(/write|any|\p{Cf}|\p{Zl}/u);
  const told = stderr.split('\n').filter((line) => line.includes('wanted, not proposed'));
  expect(told.filter((line) => line.includes('no policy can express it'))).toHaveLength(2);
  if (has('curl')) expect(stderr).toMatch(/wanted, not proposed: connect to any:443: /u);
  // A name cannot forge lines of Holdfast either.
  expect(stderr).not.toMatch(/[^ -~\n]|^(?:\]|write|#)/mu);
});

test('an agent with a profile has its directory and a phantom, and no file of the agent outside', () => {
  using project = new Project();
  project.write('../home/.claude/settings.json', '{}');
  const secret = `sk-ant-api03-${'EXAMPLE'.repeat(13)}abcd`;
  const script =
    'echo "$ANTHROPIC_API_KEY"; echo {} > "$CLAUDE_CONFIG_DIR/settings.json" && echo kept; ls ~/.claude 2>&1; echo x > ~/outside';
  const { stdout } = project.holdfast(['run', '--profile', 'claude', '--', 'sh', '-c', script], {
    environment: { ANTHROPIC_API_KEY: secret },
  });
  expect(stdout).toMatch(/^sk-ant-api03-\S+\nkept\n.*No such file/u);
  expect(stdout).not.toContain('EXAMPLE');
  expect(readFileSync(join(project.home, '.local/share/holdfast-agents/claude/settings.json'), 'utf8')).toBe('{}\n');
  expect(readdirSync(project.home)).not.toContain('outside');
  expect(project.holdfast(['run', '--profile', 'nobody', '--', 'true']).stderr).toContain(
    'claude, codex, gemini, opencode',
  );
});

test('runs nothing if the proposal cannot be written', () => {
  using project = new Project();
  const taken = project.write('taken.toml', 'mine');
  project.outside('ln', ['-s', 'nowhere', 'link.toml']);
  const learn = (output: string) => project.holdfast(['learn', '--output', output, '--', 'echo', 'it ran']);
  for (const [output, why] of [
    ['taken.toml', 'already exists'],
    ['link.toml', 'already exists'],
    ['none/x.toml', 'cannot be written: ENOENT'],
    ['taken.toml/x', 'cannot be written: E'],
  ] as const)
    expect(learn(output)).toMatchObject({ status: 125, stdout: '', stderr: expect.stringContaining(why) });
  expect(readFileSync(taken, 'utf8')).toBe('mine');
  expect(existsSync(join(project.workspace, 'nowhere'))).toBe(false);
  expect(learn('new.toml')).toMatchObject({ status: 0, stdout: 'it ran\n' });
});

test('a directory that its user may not enter does not affect the others', () => {
  using project = new Project();
  const shut = project.write('../home/shut/file', 'x');
  project.write('../home/.tool/config', 'hello\n');
  chmodSync(join(shut, '..'), 0);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) project.outside('chown', ['-R', '65534:65534', project.root]);
  const argv = ['learn', '--', 'sh', '-c', 'cat ~/shut/file; echo x > ~/shut/new; cat ~/.tool/config'];
  const { status, stdout, stderr } = spawnSync(binary, argv, {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringContaining('internal error') });
  expect(stdout).toMatch(/^hello\n[^]*^read = \[\n {2}"~\/\.tool\/config", # .*\n\]\n$/mu);
  expect(stdout).not.toContain('shut');
});
