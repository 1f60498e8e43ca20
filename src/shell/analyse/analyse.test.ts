import { describe, expect, test, vi } from 'vitest';
import { parseScript } from '../parse/parse-script.ts';
import { analyse } from './analyse.ts';
import {
  allReasons,
  analysed,
  analysedWords,
  commandNamed,
  effects,
  place,
  reasons,
  tree,
} from './testing/analysed.ts';

describe('the list of commands', () => {
  test.each([
    ['', []],
    ['# nothing', []],
    ['a=1', ['0 ']],
    ['ls', ['0 ls']],
    ['ls; pwd && cat a || true & wait', ['0 ls', '1 pwd', '2 cat a', '3 true', '4 wait']],
    ['ls | cat | wc', ['0 ls', '1 cat', '2 wc']],
    ['rm $(cat a) b', ['0 rm $(cat a) b', '1<0 cat a']],
    ['nice rm $(cat a)', ['0 nice rm $(cat a)', '1<0 rm $(cat a)', '2<0 cat a']],
    ['nice cat; nice ls', ['0 nice cat', '1<0 cat', '2 nice ls', '3<2 ls']],
    ['if cat a; then ls; else pwd; fi', ['0 cat a', '1 ls', '2 pwd']],
    ['find . -name a -exec rm {} +', ['0 find . -name a -exec rm {} +', expect.stringContaining('1<0 rm')]],
  ])('%s', (text, expected) => {
    expect(tree(analysed(text))).toEqual(expected);
  });

  test('says which stage a pipe comes from', () => {
    expect(analysed('cat a | nice wc').invocations.map(({ stdin }) => stdin)).toEqual([
      { kind: 'inherited' },
      { kind: 'pipe', from: 0 },
      { kind: 'pipe', from: 0 },
    ]);
  });

  test('says what is wrapped, and what is part of a word', () => {
    expect(analysed("nice rm $(cat a); sh -c 'ls $(pwd)'").invocations.map(({ relation }) => relation)).toEqual([
      'script',
      'wrapped',
      'substitution',
      'script',
      'wrapped',
      'substitution',
    ]);
  });

  test('nothing is more certain than what runs it', () => {
    expect(analysed("true && sh -c 'ls; sudo pwd'").invocations.map(({ runs }) => runs)).toEqual([
      'always',
      'conditional',
      'conditional',
      'conditional',
      'conditional',
    ]);
    expect(analysed("sh -c 'ls && pwd'").invocations.map(({ runs }) => runs)).toEqual([
      'always',
      'always',
      'conditional',
    ]);
  });

  test('hands assignments of env to its command', () => {
    expect(commandNamed(analysed('env A=1 B=2 ls'), 'ls').assignments.map(({ name }) => name)).toEqual(['A', 'B']);
  });

  test('is the same for the same words, with a shell or without', () => {
    expect(tree(analysedWords('timeout', '5', 'rm', '-r', 'a'))).toEqual(tree(analysed('timeout 5 rm -r a')));
    expect(effects(analysedWords('timeout', '5', 'rm', '-r', 'a'))).toEqual(['delete /srv/project/a/**']);
  });

  test('takes what a shell itself has told', () => {
    expect(tree(analyse({ kind: 'parsed', script: parseScript('nice ls; f() { pwd; }') }, place))).toEqual([
      '0 nice ls',
      '1<0 ls',
      '2 pwd',
    ]);
    expect(
      reasons(
        analyse(
          {
            kind: 'parsed',
            script: { ...parseScript('ls'), opaque: [{ kind: 'syntax', message: 'x', span: { start: 0, end: 1 } }] },
          },
          place,
        ),
      ),
    ).toEqual(['syntax']);
  });

  test('has no command for no words', () => {
    expect(analysedWords()).toEqual({ invocations: [], opaque: [] });
  });
});

describe('places in the text', () => {
  const text = "ls; nice rm -r 'a b'; sh -c 'cat $(pwd)'";

  test('are those of the command', () => {
    expect(analysed(text).invocations.map(({ span }) => text.slice(span.start, span.end))).toEqual([
      'ls',
      "nice rm -r 'a b'",
      "rm -r 'a b'",
      "sh -c 'cat $(pwd)'",
      "'cat $(pwd)'",
      "'cat $(pwd)'",
    ]);
  });

  test('within a text are those of the text, words and reasons too', () => {
    const nested = analysed("sh -c 'unknown a < b; A=1 PATH=. ls'");
    for (const {
      argv,
      assignments,
      redirects,
      effects: { opaque },
      parent,
    } of nested.invocations.filter(({ parent: from }) => from !== undefined)) {
      expect(parent).toBe(0);
      for (const { span } of [...argv, ...assignments, ...redirects.map(({ target }) => target), ...opaque])
        expect(span).toEqual({ start: 6, end: 36 });
    }
    expect(analysed("sh -c 'rm )'").opaque.map(({ span }) => span)).toEqual([{ start: 6, end: 12 }]);
  });

  test('without a shell are those in the words joined by blanks', () => {
    expect(analysedWords('rm', '-r', 'a b').invocations[0]).toMatchObject({
      span: { start: 0, end: 9 },
      argv: [{ span: { start: 0, end: 2 } }, { span: { start: 3, end: 5 } }, { span: { start: 6, end: 9 } }],
    });
  });
});

describe('languages that are not read', () => {
  test.each(['zsh', 'cmd', 'fish', 'powershell', 'unknown'] as const)('%s', (shell) => {
    expect(analysed('ls', shell)).toMatchObject({
      invocations: [],
      opaque: [{ kind: 'shell', span: { start: 0, end: 2 } }],
    });
  });

  test.each(['bash', 'sh'] as const)('%s is read', (shell) => {
    expect(tree(analysed('ls', shell))).toEqual(['0 ls']);
  });
});

describe('budgets', () => {
  const withBudget = (text: string, budget: { steps?: number; depth?: number }) =>
    analyse({ kind: 'script', text, shell: 'bash' }, { ...place, budget });

  test('of steps: what was found is kept, and the whole is opaque', () => {
    const analysis = withBudget('ls; '.repeat(100), { steps: 500 });
    expect(reasons(analysis)).toContain('budget');
    expect(analysis.invocations.length).toBeLessThan(100);
  });

  test.each([
    [`${'nice '.repeat(10)}rm a`, 5],
    [`${'eval '.repeat(10)}rm a`, 5],
    [`${'sudo env '.repeat(5)}rm a`, 5],
  ])('of depth: %s', (text, depth) => {
    const analysis = withBudget(text, { depth });
    expect(reasons(analysis)).toContain('budget');
    expect(analysis.invocations).toHaveLength(depth + 1);
    expect(reasons(withBudget(text, { depth: 20 }))).toEqual([]);
  });

  // Attack: a busy or slow machine on which the same text gets another analysis.
  test('are counted in work, not in time', () => {
    const clock = vi.spyOn(performance, 'now');
    let now = 0;
    clock.mockImplementation(() => (now += 60_000));
    expect(reasons(analysed('ls; '.repeat(1000)))).toEqual([]);
    clock.mockImplementation(() => 0);
    expect(reasons(analysed('ls; '.repeat(8000)))).toEqual(['budget']);
    clock.mockRestore();
  });

  // Attack: work that grows with the square of its length, one layer below the work that is counted.
  test.each([
    [
      'calls of a function, each looked for in the text before it',
      `f() { :; }\n# ${'x'.repeat(24_000)}\n${'f; '.repeat(1000)}`,
    ],
    ['a directory that gets longer', 'cd a && '.repeat(1200)],
    ['shells', "sh -c 'ls';".repeat(2900)],
    ['calculations within each other', `${'$(('.repeat(990)}${'a'.repeat(20_000)}${'))'.repeat(990)}`],
    ['a text that is read again', `${'eval '.repeat(8)}: ${'x'.repeat(30_000)}`],
  ])('notice %s', (_, text) => {
    expect(text.length).toBeLessThan(32_768);
    expect(reasons(analysed(text))).toContain('budget');
  });

  test('are shared by all scripts within', () => {
    const text = `sh -c '${'ls; '.repeat(30)}'; sh -c '${'ls; '.repeat(30)}'`;
    expect(reasons(withBudget(text, { steps: 3000 }))).toEqual([]);
    expect(reasons(withBudget(text, { steps: 600 }))).toContain('budget');
  });
});

test('of a command with too many words the first ones are looked at', () => {
  const analysis = analysedWords('rm', ...Array<string>(20_000).fill('a'));
  expect(reasons(analysis)).toEqual(['budget']);
  expect(analysis.invocations[0]?.tool).toBe('rm');
});

test('reasons of the whole are given once', () => {
  const { opaque } = analysed("sh -c '((a))'; sh -c '((a))'");
  expect(opaque.filter(({ kind }) => kind === 'shell')).toHaveLength(2);
  expect(allReasons(analysed('cat <(a')).filter(({ kind }) => kind === 'syntax').length).toBeLessThanOrEqual(2);
});
