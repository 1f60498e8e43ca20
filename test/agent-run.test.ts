import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endResident, Project, startResident } from './lib/holdfast.ts';

const cli = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
printf 'words:%s\\n' "$*"
cat "$here/../lib/text" "$here/../../dep/text"
printf 'key:%s\\nfiles:%s\\n' "$ANTHROPIC_API_KEY" "$CLAUDE_CONFIG_DIR"
ls "$HOME/tools" "$HOME/tools/node_modules" "$HOME/private"
`;

/** The agent as `npm install` leaves it, in a directory of the home that no box shows. */
function installed(project: Project) {
  const modules = '../home/tools/node_modules';
  const bin = join(project.home, 'tools/node_modules/.bin');
  project.write(`${modules}/claude/package.json`, '{"name": "claude", "dependencies": {"dep": "1"}}');
  chmodSync(project.write(`${modules}/claude/bin/cli`, cli), 0o755);
  project.write(`${modules}/claude/lib/text`, 'own library\n');
  project.write(`${modules}/dep/package.json`, '{"name": "dep"}');
  project.write(`${modules}/dep/text`, 'dependency\n');
  project.write(`${modules}/other/secret`, 'other\n');
  project.write('../home/private/secret', 'private\n');
  mkdirSync(bin);
  symlinkSync('../claude/bin/cli', join(bin, 'claude'));
  const key = 'sk-ant-api03-EXAMPLEexampleEXAMPLEexampleEXAMPLE00';
  return { key, environment: { PATH: `${bin}:${project.environment['PATH']}`, ANTHROPIC_API_KEY: key } };
}

describe.each(['never', 'with a supervisor'])('holdfast run claude, %s', (resident) => {
  test('runs the agent with its profile, a phantom and its package, and says so in one line', () => {
    using project = new Project();
    const supervisor = resident === 'never' || project.resident !== undefined ? undefined : startResident(project);
    const { key, environment } = installed(project);
    const { status, stdout, stderr } = project.holdfast(['run', '--host', 'example.org', 'claude', '-p', '--', 'hi'], {
      environment: { ...environment, ...(resident === 'never' ? {} : { HOLDFAST_RESIDENT: undefined }) },
    });
    if (supervisor !== undefined) endResident(supervisor);
    expect(stdout).toContain('words:-p -- hi\nown library\ndependency\nkey:sk-ant-api03-');
    expect(stdout).not.toContain(key);
    expect(stdout).toContain(`files:${project.home}/.local/share/holdfast-agents/claude\n`);
    expect(stdout).not.toMatch(/^(?:other|secret)$/mu);
    expect(status).not.toBe(0);
    expect(stderr).toContain(
      'holdfast: claude: profile claude, key ANTHROPIC_API_KEY as a phantom, hosts example.org api.anthropic.com, own files in ~/.local/share/holdfast-agents/claude\n',
    );
    expect(stderr).toContain(
      `holdfast: claude: the box shows ${project.home}/tools/node_modules/claude read-only, and 1 more that it depends on\n`,
    );
    expect(stderr).toMatch(/private/u);
  });
});

test('--profile also finds the program of its name, and nothing is granted without a profile', () => {
  using project = new Project();
  const { environment } = installed(project);
  const profiled = project.holdfast(['run', '--profile', 'claude', '--', 'claude', 'x'], { environment });
  expect(profiled.stdout).toContain('words:x\nown library\n');
  expect(project.holdfast(['run', '--', 'claude'], { environment })).toMatchObject({
    status: 127,
    stderr: expect.stringContaining('claude: command not found in the box') as string,
  });
});

test('the package cannot be written', () => {
  using project = new Project();
  const { environment } = installed(project);
  const file = project.write('../home/tools/node_modules/claude/bin/cli', `${cli}echo planted > "$here/../lib/text"\n`);
  const { stderr } = project.holdfast(['run', 'claude'], { environment });
  expect(stderr).toMatch(/lib\/text: (?:Read-only file system|Permission denied)/u);
  expect(project.outside('cat', [join(dirname(file), '../lib/text')]).stdout).toBe('own library\n');
});

test('a link of the repository leads to no file of the user', () => {
  using project = new Project();
  project.write('../home/private/package.json', '{"name": "private"}');
  chmodSync(project.write('../home/private/claude', '#!/bin/sh\ncat "$HOME/private/secret"\n'), 0o755);
  project.write('../home/private/secret', 'private\n');
  mkdirSync(join(project.workspace, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(project.home, 'private/claude'), join(project.workspace, 'node_modules/.bin/claude'));
  const environment = { PATH: `${project.workspace}/node_modules/.bin:${project.environment['PATH']}` };
  const { status, stdout, stderr } = project.holdfast(['run', 'claude'], { environment });
  expect({ status, stdout }).toEqual({ status: 127, stdout: '' });
  expect(stderr).toMatch(/found through .*node_modules\/\.bin\/claude, which boxes can write/u);
});

test('an unknown agent name gives an error with the next step', () => {
  using project = new Project();
  expect(project.holdfast(['run', 'npm', 'test'])).toMatchObject({
    status: 125,
    stdout: '',
    stderr: expect.stringMatching(/there is no agent "npm"[^]*holdfast run -- npm/u) as string,
  });
});
