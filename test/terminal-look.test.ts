import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents, type JournalEvent } from '../src/audit/index.ts';
import { shownWidth } from '../src/cli/terminal/terminal-table.ts';
import { callOf } from './lib/dashboard-calls.ts';
import { livingSession, manyEvents } from './lib/dashboard-events.ts';
import { binary, has, Project } from './lib/holdfast.ts';

const width = 80;
const hostile = 'a\u001B[2J\u202Eb\u0007';

/** Every command that prints a table or a list, with its head and its message for no entries. */
const lists: readonly (readonly [words: string, head: RegExp | undefined, empty: RegExp])[] = [
  ['secrets list', /^NAME +FOR +USE +SOURCE$/mu, /^No credentials yet\. Add one: holdfast secrets add /u],
  [
    'staged list',
    /^ID +CREATED +CHANGES +SIZE +WORKSPACE$/mu,
    /^No staged changes\. Stage a command: holdfast run --staged /u,
  ],
  ['trash list', /^ID +TIME +CAUSE +SIZE +PATH$/mu, /^No entries in the trash\. .*holdfast help trash/su],
  [
    'checkpoint list',
    /^ID +(?:CREATED +)?CONTENT +SIZE +NAME$/mu,
    /^No checkpoints yet\. Make one: holdfast checkpoint create/u,
  ],
  ['worktree list', undefined, /^No worktrees yet\. Make one: holdfast worktree create/u],
  [
    'trust list',
    /^LEVEL +APPROVED +SHA256 +PATH$/mu,
    /^No approvals yet\. List the files that need one: holdfast trust status/u,
  ],
  ['trust status', /^ +STATE +PATH +KIND$/mu, /0 approved, 0 not/u],
  ['llm log', /^TIME +ID +PROVIDER +MODEL +STATUS +IN +OUT +USD/mu, /^No model calls\. Allow a model server/u],
  ['usage', /^PROVIDER +MODEL .*USD$/mu, /^No model calls since .*\. Look further back: holdfast usage --since 90d/u],
  ['mcp pins list', undefined, /^No approved tools\. Wrap a server: holdfast mcp wrap /u],
  ['approvals list', undefined, /^No approvals are waiting\. Watch for them: holdfast approvals watch/u],
  ['why', undefined, /^No refusals yet in .*Run a command: holdfast run -- COMMAND/su],
  ['audit query', undefined, /^holdfast: no entry matches the filters\n$/u],
];

describe.skipIf(!has('script'))('at a terminal', () => {
  let empty: Project;
  let full: Project;

  beforeAll(() => {
    empty = new Project();
    full = new Project();
    fill(full);
  });
  afterAll(() => {
    empty[Symbol.dispose]();
    full[Symbol.dispose]();
  });

  test.each(lists)('%s names the next step if it is empty', (words, _, text) => {
    expect(atTerminal(empty, words).replaceAll('\r\n', '\n')).toMatch(text);
  });

  test.each(lists)('%s has one look, and shows hidden characters', (words, head) => {
    const shown = atTerminal(full, words).replaceAll('\r\n', '\n');
    if (head !== undefined) {
      expect(uncoloured(shown)).toMatch(head);
      expect(shown).toContain('\u001B[1m');
      const table = uncoloured(shown)
        .split('\n')
        .filter((line) => !isSentence(line));
      for (const line of table) expect([line, shownWidth(line) <= width]).toEqual([line, true]);
    }
    expect(uncoloured(shown)).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  });

  test('review ends with the possible next commands', () => {
    const shown = uncoloured(atTerminal(full, 'review --stat', { PAGER: 'cat' })).replaceAll('\r\n', '\n');
    expect(shown).toMatch(/\nto apply it: holdfast accept (\S+); to drop it: holdfast discard \1; .*\n$/u);
  });

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('%s removes the colours, and keeps the signs', (_, environment) => {
    for (const [words] of lists) expect(atTerminal(full, words, environment)).not.toContain('\u001B');
    expect(atTerminal(full, 'audit query', environment)).toContain('✗ refusal');
  });

  test('a locale without non-ASCII letters has ASCII signs', () => {
    const shown = atTerminal(full, 'audit query', { LC_ALL: 'C' });
    expect(shown).toContain('x refusal');
    expect(shown).not.toContain('✗');
    expect(atTerminal(full, 'staged list', { LC_ALL: 'C' })).toMatch(/^[ -~\p{Cc}]*$/u);
  });

  test('a pipe gets plain, uncut words, and JSON stays the same', () => {
    for (const [words] of lists) {
      const { stdout } = full.holdfast(words.split(' '), { environment: { LANG: 'C.UTF-8', TERM: 'xterm' } });
      expect([words, /[✓✗±●]|(?!\n)\p{Cc}/u.test(stdout)]).toEqual([words, false]);
      const json = full.holdfast([...words.split(' '), '--json']).stdout;
      for (const line of words === 'audit query' ? json.trim().split('\n') : [json]) JSON.parse(line);
    }
    expect(full.holdfast(['staged', 'list']).stdout).toContain(full.workspace);
    expect(full.holdfast(['secrets', 'list']).stdout).toMatch(
      /^deploy +api\.example\.com +always +env DEPLOY_KEY|^deploy /u,
    );
  });
});

/** A person's view: the command's output on a terminal of that width. */
function atTerminal(project: Project, words: string, environment: NodeJS.ProcessEnv = {}): string {
  const { stdout } = spawnSync('script', ['-qec', `stty cols ${width}; '${binary}' ${words}`, '/dev/null'], {
    cwd: project.workspace,
    env: { ...project.environment, LANG: 'C.UTF-8', TERM: 'xterm', ...environment },
    encoding: 'utf8',
    input: '',
  });
  return stdout;
}

function uncoloured(text: string): string {
  return text.replaceAll(/\p{Cc}\[[\d;]*m/gu, '');
}

/** A line beside the table, which the terminal breaks freely. */
function isSentence(line: string): boolean {
  return /^(?:see|since|no approval|\?:|\/|the last|\d+ )/u.test(line);
}

function fill(project: Project): void {
  project.write(
    '../home/.config/holdfast/policy.toml',
    [
      'version = 1',
      'network.hosts = ["api.example.com"]',
      '[[credentials]]',
      'name = "deploy"',
      'source = { env = "DEPLOY_KEY" }',
      'hosts = ["api.example.com"]',
      'inject = { kind = "bearer" }',
      'environment = ["DEPLOY_KEY"]',
      '[[file]]',
      'name = "keep-builds"',
      'decision = "stage"',
      'operations = ["delete"]',
      'paths = ["build"]',
    ].join('\n'),
  );
  project.write('AGENTS.md', '# Be nice\n');
  project.write(`${hostile}/CLAUDE.md`, '# Be quick\n');
  project.write(`build/${hostile}`, 'x\n');
  project.outside('git', ['add', '.']);
  project.outside('git', ['commit', '-qm', 'first']);
  project.holdfast(['trust', 'add', 'AGENTS.md', '--yes', '--sha256', `AGENTS.md=${hashOf(project)}`]);
  project.inside('rm build/*; cat /etc/shadow');
  expect(project.inside('echo x > staged', ['--staged']).status).toBe(0);
  project.holdfast(['checkpoint', 'create', hostile]);
  project.holdfast(['worktree', 'create', '--branch', 'work']);
  appendEvents(join(project.state, 'journal.jsonl'), [
    ...manyEvents(20),
    { ...callOf(1), model: hostile, provider: hostile },
    refusalOf(project.workspace),
  ]);
}

function hashOf(project: Project): string {
  const { files } = JSON.parse(project.holdfast(['trust', 'status', '--json']).stdout) as {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };
  return files.find(({ path }) => path === 'AGENTS.md')?.sha256 ?? '';
}

function refusalOf(workspace: string): JournalEvent {
  return {
    type: 'refusal',
    session: livingSession(1),
    workspace,
    observed: 'output',
    request: { kind: 'exec', program: hostile, argv: [hostile], context: 'direct' },
    verdict: {
      decision: 'deny',
      code: 'rule',
      rule: hostile,
      layer: 'user',
      file: hostile,
      line: 1,
      message: hostile,
      remedy: hostile,
    },
  };
}
