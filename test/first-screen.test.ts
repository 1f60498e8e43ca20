import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { binary, Project, repository } from './lib/holdfast.ts';

const entry = join(repository, 'dist/holdfast.cjs');

/** The screen of a person at a terminal. */
function atTerminal(project: Project, words = ''): string {
  const { stdout } = spawnSync('script', ['-qec', `${binary} ${words}`, '/dev/null'], {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
  });
  return stdout.replaceAll('\r\n', '\n');
}

test('holdfast alone shows the state of the directory at a terminal, and the help elsewhere', () => {
  using project = new Project();
  project.write('.env', 'KEY=1\n');
  project.holdfast(['run', '--', 'cat', '.env']);
  project.holdfast(['run', '--staged', '--', 'touch', 'new']);
  const shown = atTerminal(project);
  expect(shown).toContain(`workspace  ${project.workspace}`);
  expect(shown).toMatch(/^refusals +\S+ \S+ +read .*\.env \(hidden:\.env, built-in\)$/mu);
  expect(shown).toMatch(/^staged +(\S+) .*[^]*^next +holdfast review \1$/mu);
  const { status, stdout } = project.holdfast([]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^usage: holdfast COMMAND \[OPTIONS\]$/mu);
});

test('holdfast alone reports a policy error in one line, and in a box its possibilities', () => {
  using project = new Project();
  project.write('holdfast.toml', 'version = 1\nnonsense = true\n');
  expect(atTerminal(project)).toMatch(/^ +problem: .*holdfast\.toml:2: unknown key "nonsense"$/mu);
  project.write('holdfast.toml', 'version = 1\n');
  const inside = project.holdfast(['run', '--read', process.execPath, '--', process.execPath, entry, 'status']);
  expect(inside).toMatchObject({ status: 0, stderr: '' });
  expect(inside.stdout).toMatch(/^next +holdfast why --path PATH$/mu);
});

test.each([
  ['a box', []],
  ['a box that reads the whole installation', ['--read', repository]],
])('in %s, commands with state outside the box say so in one line', (_where, flags) => {
  using project = new Project();
  const words = [
    'dashboard --no-open',
    'doctor',
    'backends',
    'run -- true',
    'trust status',
    'approvals list',
    'audit verify',
    'trash list',
  ];
  const lines = words.map((each) => `timeout 20 "$0" "$1" ${each} </dev/null; echo "$?"`).join('\n');
  const shell = ['sh', '-c', lines, process.execPath, entry];
  const { stdout, stderr } = project.holdfast(['run', '--read', process.execPath, ...flags, '--', ...shell]);
  expect(stdout).toBe('125\n'.repeat(words.length));
  const said =
    'holdfast: this command does not work inside a box\n' +
    'holdfast: to fix it: use `holdfast why` here, and run other commands outside the box [HF_USAGE]\n';
  expect(stderr).toBe(said.repeat(words.length));
});

test('help has two screens, and each command its own', () => {
  using project = new Project();
  const short = project.holdfast(['--help']).stdout;
  expect(short.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  expect(project.holdfast(['help']).stdout).toBe(short);
  expect(project.holdfast(['help', 'all']).stdout).toMatch(/^ {2}microvm +\S/mu);
  expect(project.holdfast(['help', 'why']).stdout).toBe(project.holdfast(['why', '--help']).stdout);
  expect(project.holdfast(['help', 'nothing'])).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('there is no command "nothing"') as string,
  });
  expect(project.holdfast(['explain', '--', 'ls']).stderr).toBe(
    'holdfast: there is no command "explain"\nholdfast: to fix it: type `holdfast policy explain`, or see `holdfast help all` [HF_USAGE]\n',
  );
  for (const typo of ['rum', 'rn', 'runn', 'rnu'])
    expect(project.holdfast([typo, '--', 'ls']).stderr).toContain(
      `did you mean \`holdfast run\`? To run a program in a sandbox, type \`holdfast run -- ${typo} …\`, or see`,
    );
  for (const word of ['-v', '-V', 'version', '--version'])
    expect(project.holdfast([word]).stdout).toMatch(/^holdfast \d+\.\d+\.\d+\n$/u);
  expect(project.holdfast(['help', '--help']).stdout).toBe(short);
  expect(project.holdfast(['--staged']).stderr).not.toContain('holdfast run -- --staged');
  expect(project.holdfast(['ls']).stderr).not.toContain('did you mean');
  expect(project.holdfast(['constructor']).stderr).toContain(
    'to fix it: to run a program in a sandbox, type `holdfast run -- constructor …`, or see `holdfast help all`',
  );
});
