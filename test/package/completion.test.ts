import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCommands } from '../../scripts/load-commands.ts';
import { shapeOf } from '../../scripts/completion/shape.ts';
import { writeCompletions } from '../../scripts/completion/write-completions.ts';
import { Project, repository } from '../lib/holdfast.ts';
import { proposals, type Shell } from './lib/shells.ts';

const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];
const isInstalled = (shell: Shell): boolean => spawnSync(shell, ['-c', ':']).status === 0;

let project: Project;
let environment: Readonly<Record<string, string>>;
let scripts: string;
const hostile = ['$(touch pwned)', '`touch pwned`', 'a;touch pwned', '-rf', 'a\u001B[31mb', "a'b"];
beforeAll(async () => {
  project = new Project();
  const state = join(project.root, 'state');
  mkdirSync(join(state, 'holdfast'), { recursive: true });
  const lines = ['first-1', ...hostile, 'last-2'].map((session, seq) =>
    JSON.stringify({
      v: 2,
      seq,
      time: '2026-01-31T12:00:00.000Z',
      type: 'session.start',
      session,
      argv: ['true', '\u001B[31m', 'a\tb'],
    }),
  );
  writeFileSync(join(state, 'holdfast/journal.jsonl'), `${lines.join('\n')}\n`);
  environment = {
    ...(project.environment as Readonly<Record<string, string>>),
    XDG_STATE_HOME: state,
    PATH: `${join(repository, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOLDFAST_TEST_VARIABLE: 'x',
  };
  scripts = join(project.root, 'completion');
  writeCompletions(await loadCommands(), scripts);
});
afterAll(() => project[Symbol.dispose]());

describe.each(shells.filter(isInstalled))('%s', (shell) => {
  const proposed = (line: string): readonly string[] =>
    proposals(shell, line, { cwd: project.workspace, environment, script: join(scripts, `holdfast.${shell}`) });

  test('proposes every command', async () => {
    expect(proposed('holdfast ')).toEqual(expect.arrayContaining((await loadCommands()).map(({ name }) => name)));
  });

  test.each([
    ['holdfast chec', ['checkpoint']],
    ['holdfast run --work', ['--workspace']],
    ['holdfast run --backend bub', ['bubblewrap']],
    ['holdfast plan --read /x --backend seat', ['seatbelt']],
    ['holdfast trust imp', ['import']],
    ['holdfast trust keys r', ['remove']],
    ['holdfast trust --workspace /x keys r', ['remove']],
    ['holdfast approvals totp en', ['enrol']],
    ['holdfast run --env HOLDFAST_TEST_V', ['HOLDFAST_TEST_VARIABLE']],
    ['holdfast run -- command-that-nobody-has', []],
  ])('%s', (line, expected) => {
    expect(proposed(line)).toEqual(expected);
  });

  test('accepts an option and its value as one word too', () => {
    expect(proposed('holdfast run --backend=land').map((each) => each.replace('--backend=', ''))).toEqual(['landlock']);
  });

  test('proposes files where a file is expected', () => {
    writeFileSync(join(project.workspace, 'some-policy.toml'), '');
    expect(proposed('holdfast policy check some-p')).toEqual(['some-policy.toml']);
    expect(proposed('holdfast run --preset some-p')).toEqual([]);
  });

  test('completes the command after -- as usual', () => {
    expect(proposed('holdfast run -- holdfast-not')).toEqual([]);
    expect(proposed('holdfast run -- touc')).toContain('touch');
  });

  test('proposes plain IDs, and none that a shell would expand', () => {
    expect(proposed('holdfast audit report ')).toEqual(['first-1', 'last-2']);
    expect(existsSync(join(project.workspace, 'pwned'))).toBe(false);
  });

  test('omits other names even from holdfast itself', () => {
    const planted = join(project.root, 'planted');
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, 'holdfast'), `#!/bin/sh\ncat <<'END'\nplain-1\tit\n${hostile.join('\n')}\nEND\n`, {
      mode: 0o755,
    });
    const found = proposals(shell, 'holdfast audit report ', {
      cwd: project.workspace,
      environment: { ...environment, PATH: `${planted}:${environment['PATH'] ?? ''}` },
      script: join(scripts, `holdfast.${shell}`),
    });
    expect(found).toEqual(['plain-1']);
    expect(existsSync(join(project.workspace, 'pwned'))).toBe(false);
  });
});

test('at least bash is tested', () => {
  expect(shells.filter(isInstalled)).toContain('bash');
});

describe('the command', () => {
  const holdfast = (...words: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync(join(repository, 'bin/holdfast'), ['completion', ...words], {
      cwd: project.workspace,
      env: environment,
      encoding: 'utf8',
    });

  test.each(shells)('prints the built completion for %s', (shell) => {
    const { status, stdout, stderr } = holdfast(shell);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`${shell} completion for holdfast`, 'u'));
  });

  test('lists IDs, newest first, each with a plain hint in one line', () => {
    const { status, stdout } = holdfast('ids', 'sessions');
    expect(status).toBe(0);
    expect(
      String(stdout)
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')),
    ).toEqual([
      ['last-2', String.raw`2026-01-31T12:00  true \u{1b}[31m a\u{9}b`],
      ['first-1', expect.anything()],
    ]);
  });

  test.each(['layers', 'checkpoints', 'trash', 'approvals', 'worktrees'])('%s: no result is not an error', (kind) => {
    expect(holdfast('ids', kind)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  test('refuses an unknown shell', () => {
    expect(holdfast('csh')).toMatchObject({ status: 125, stdout: '' });
  });
});

test('options and their texts are found in every command', async () => {
  for (const command of await loadCommands()) {
    const { options } = shapeOf(command);
    expect(options.map(({ name }) => name)).toEqual([...Object.keys(command.options), 'help']);
    for (const [, name = ''] of command.usage.matchAll(/^ {2}--([\w-]+)/gmu))
      expect(
        options.find((option) => option.name === name),
        `${command.name} --${name}`,
      ).toBeDefined();
  }
});
