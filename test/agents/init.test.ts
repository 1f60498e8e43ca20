import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Project } from '../lib/holdfast.ts';

test('init shows what it changes, changes nothing unasked, nothing twice, and puts all of it back', () => {
  using project = new Project();
  const given = '{\n  // mine\n  "model": "opus"\n}\n';
  const file = project.write('.claude/settings.local.json', given);
  const init = (...words: readonly string[]) => project.holdfast(['init', 'claude', ...words]);
  const text = (): string => readFileSync(file, 'utf8');

  // Nobody is at the terminal who could agree.
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
  expect(init('--undo', '--yes')).toMatchObject({ status: 125, stderr: expect.stringContaining('[HF_AGENT_SETTINGS]') });
});

test('init refuses what it cannot do, in one line that says so', () => {
  using project = new Project();
  const file = project.write('.gemini/settings.json', '{ "hooks": [1] }');
  const told = (...words: readonly string[]): string => {
    const { status, stderr } = project.holdfast(['init', ...words]);
    expect(status).toBe(125);
    return stderr;
  };
  expect(told('gemini', '--workspace', '--yes')).toContain(`${file} cannot be changed: hooks is no object`);
  expect(readFileSync(file, 'utf8')).toBe('{ "hooks": [1] }');
  expect(told('nobody', '--yes')).toContain('claude, codex, gemini, opencode');
  expect(told('claude', '--user', '--workspace', '--yes')).toContain('--user and --workspace');
  expect(existsSync(join(project.home, '.claude'))).toBe(false);
});

test('init says what boxes do not have of it, with the words that approve it', () => {
  using project = new Project();
  const { stdout } = project.holdfast(['init', 'codex', '--workspace', '--yes']);
  const [, path = ''] = /^ {2}holdfast trust add '(.+)'$/mu.exec(stdout) ?? [];
  expect(path).toBe('.codex/hooks.json');
  const shown = (): string => project.inside(`cat ${path}`).stdout;
  expect(shown()).toBe('');
  const { files } = JSON.parse(project.holdfast(['trust', 'status', '--json']).stdout) as { readonly files: readonly { readonly path: string; readonly sha256: string }[] };
  const hash = files.find((file) => file.path === path)?.sha256 ?? '';
  expect(project.holdfast(['trust', 'add', path, '--yes', '--sha256', `${path}=${hash}`])).toMatchObject({ status: 0 });
  expect(shown()).toContain('holdfast-hook');
  // Those of a repository Codex and Gemini CLI take only where it is trusted.
  for (const [agent, file] of [['codex', '.codex/hooks.json'], ['gemini', '.gemini/settings.json']] as const) {
    const own = project.holdfast(['init', agent, '--yes']).stdout;
    expect(own).toContain(`${join(project.home, file)}: written`);
    expect(own).not.toContain('trust add');
  }
});
