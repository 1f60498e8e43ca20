import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { binary, has, Project } from '../lib/holdfast.ts';

if (!has('script'))
  console.warn('SKIPPED: init at a terminal, because script is not installed (Debian: apt-get install bsdutils)');

test('init shows its changes, makes none unasked and none twice, and restores everything', () => {
  using project = new Project();
  const given = '{\n  // mine\n  "model": "opus"\n}\n';
  const file = project.write('.claude/settings.local.json', given);
  const init = (...words: readonly string[]) => project.holdfast(['init', 'claude', ...words]);
  const text = (): string => readFileSync(file, 'utf8');

  // Nobody at the terminal can agree.
  expect(init()).toMatchObject({ status: 125, stderr: expect.stringMatching(/nothing was changed[^]*--yes/u) });
  const shown = init('--dry-run').stdout;
  expect(shown).toContain(`--- ${file}`);
  expect(shown).toMatch(/^\+.*hook claude \|\| exit 2/mu);
  expect(text()).toBe(given);

  expect(init('--yes')).toMatchObject({ status: 0, stdout: expect.stringContaining(`${file}: written`) });
  const installed = text();
  expect(installed).toContain('// mine');
  expect(init('--yes')).toMatchObject({ status: 0, stdout: `${file}: nothing to change\n` });
  expect(text()).toBe(installed);

  expect(init('--undo', '--yes')).toMatchObject({ status: 0, stdout: expect.stringContaining(`${file}: put back`) });
  expect(text()).toBe(given);
  expect(init('--undo', '--yes')).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('[HF_AGENT_SETTINGS]'),
  });
});

test('init refuses an impossible change, in one line with the reason', () => {
  using project = new Project();
  const file = project.write('.gemini/settings.json', '{ "hooks": [1] }');
  const told = (...words: readonly string[]): string => {
    const { status, stderr } = project.holdfast(['init', ...words]);
    expect(status).toBe(125);
    return stderr;
  };
  expect(told('gemini', '--workspace', '--yes')).toContain(`${file} cannot be changed: hooks is not an object`);
  expect(readFileSync(file, 'utf8')).toBe('{ "hooks": [1] }');
  expect(told('nobody', '--yes')).toContain('claude, codex, gemini, opencode');
  expect(told('claude', '--user', '--workspace', '--yes')).toContain('--user and --workspace');
  expect(existsSync(join(project.home, '.claude'))).toBe(false);
});

test('init names the files that boxes will lack, and the command that approves them', () => {
  using project = new Project();
  const { stdout } = project.holdfast(['init', 'codex', '--workspace', '--yes']);
  const [, path = ''] = /^ {2}holdfast trust add '(.+)'$/mu.exec(stdout) ?? [];
  expect(path).toBe('.codex/hooks.json');
  const shown = (): string => project.inside(`cat ${path}`).stdout;
  expect(shown()).toBe('');
  const { files } = JSON.parse(project.holdfast(['trust', 'status', '--json']).stdout) as {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };
  const hash = files.find((file) => file.path === path)?.sha256 ?? '';
  expect(project.holdfast(['trust', 'add', path, '--yes', '--sha256', `${path}=${hash}`])).toMatchObject({ status: 0 });
  expect(shown()).toContain('holdfast-hook');
  // Codex and Gemini CLI accept a repository's hooks only where it is trusted.
  for (const [agent, file] of [
    ['codex', '.codex/hooks.json'],
    ['gemini', '.gemini/settings.json'],
  ] as const) {
    const own = project.holdfast(['init', agent, '--yes']).stdout;
    expect(own).toContain(`${join(project.home, file)}: written`);
    expect(own).not.toContain('trust add');
  }
});

test('a dry run of --undo keeps the data of a later one, even if the file is gone', () => {
  using project = new Project();
  const init = (...words: readonly string[]) => project.holdfast(['init', 'claude', ...words]);
  init('--yes');
  rmSync(join(project.workspace, '.claude/settings.local.json'));
  expect(init('--undo', '--dry-run')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('nothing to change'),
  });
  expect(readdirSync(join(project.state, 'agents'))).toHaveLength(1);
  expect(existsSync(join(project.workspace, '.claude'))).toBe(true);
  expect(init('--undo', '--yes')).toMatchObject({ status: 0 });
  expect(readdirSync(join(project.state, 'agents'))).toEqual([]);
  expect(existsSync(join(project.workspace, '.claude'))).toBe(false);
});

// Ctrl-C and Ctrl-D.
test.skipIf(!has('script')).each(['\u0003', '\u0004', 'n\r'])('at a terminal, %j does not confirm', async (keys) => {
  using project = new Project();
  const terminal = spawn('script', ['-qec', `exec ${binary} init claude`, '/dev/null'], {
    cwd: project.workspace,
    env: { ...project.environment, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(terminal, 'exit');
  let said = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    const before = said.includes('[y/N]');
    said += chunk.toString();
    if (!before && said.includes('[y/N]')) terminal.stdin.write(keys);
  });
  expect(await ended).toEqual([0, null]);
  expect(said).toMatch(/nothing was changed\r\n$/u);
  expect(said).not.toContain('internal error');
  expect(existsSync(join(project.workspace, '.claude'))).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)('a full disk is reported, and settings and directory stay unchanged', () => {
  using project = new Project();
  const directory = join(project.workspace, '.claude');
  mkdirSync(directory);
  const given = `{ "mine": "${'x'.repeat(14_000)}" }`;
  // The disk has room for one copy, not for two.
  const script =
    'mount -t tmpfs -o size=20k none "$1" && printf %s "$2" > "$1/settings.local.json" && "$3" init claude --yes > out; echo "status $?"; ls -A "$1"; cat "$1/settings.local.json"';
  const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', directory, given, binary], {
    cwd: project.workspace,
    env: project.environment,
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe(`status 125\nsettings.local.json\n${given}`);
  expect(stderr).toMatch(/cannot be written: the disk is full\n.*\[HF_DISK_FULL\]/u);
});
