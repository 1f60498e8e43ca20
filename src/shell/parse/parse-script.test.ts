import { describe, expect, test } from 'vitest';
import { commandsOf, describeWord, reasonsOf } from './testing/describe.ts';
import { createMeter } from './meter.ts';
import { parseScript } from './parse-script.ts';

describe('commands are found', () => {
  test.each([
    ['a', ['a']],
    ['a; b & c && d || e', ['a', 'b', 'c', 'd', 'e']],
    ['a | b |& c', ['a', 'b', 'c']],
    ['(a; b); { c; }', ['a', 'b', 'c']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for i in $(a) b; do c; done', ['a', 'c']],
    ['for ((i=$(a); i<3; i++)); do b; done', ['a', 'b']],
    ['select x in a; do b; done', ['b']],
    ['case $(a) in ($(b)|c) d;; *) e;; esac', ['a', 'b', 'd', 'e']],
    ['f() { a; }; function g { b; }', ['a', 'b']],
    ['coproc a; coproc X { b; }', ['a', 'b']],
    ['time -p ! a', ['a']],
    ['"$(a "$(b)")"', ['substitution("$(a "$(b)")")', 'a substitution("$(b)")', 'b']],
    ['a `b \\`c\\``', ['a substitution(`b \\`c\\``)', 'b substitution(`c`)', 'c']],
    ['x=$(a)', ['', 'a']],
    ['x=(1 $(a)) y[$(b)]=2', ['', 'a', 'b']],
    ['x=1 a', ['a']],
    ['a >$(b) 2>"$(c)"', ['a', 'b', 'c']],
    ['a <(b) > >(c)', ['a substitution(<(b))', 'b', 'c']],
    ['a <<E\n$(b) `c` \\$(d)\nE', ['a', 'b', 'c']],
    ["a <<'E'\n$(b)\nE", ['a']],
    ['a <<<$(b)', ['a', 'b']],
    ['[[ -n $(a) && $(b) == "$(c)" ]]', ['a', 'b', 'c']],
    ['(( $(a) + x[$(b)] ))', ['a', 'b']],
    [
      '${x:-$(a)} ${y/$(b)/$(c)} "${z:$(d)}"',
      ['expansion(${x:-$(a)}) expansion(${y/$(b)/$(c)}) expansion("${z:$(d)}")', 'a', 'b', 'c', 'd'],
    ],
    ['export x=$(a) y=1', ['export substitution(x=$(a)) y=1', 'a']],
    ['# a\nb # c', ['b']],
    ['a \\\n b', ['a b']],
    ['', []],
  ])('%s', (text, commands) => {
    expect(commandsOf(text)).toEqual(commands);
    expect(reasonsOf(text)).toEqual([]);
  });

  test('a substitution is told from what it is a word of', () => {
    const { invocations } = parseScript('a "$(b | c)" <(d)');
    expect(invocations.map(({ id, parent, relation }) => [id, parent, relation])).toEqual([
      [0, undefined, 'script'],
      [1, 0, 'substitution'],
      [2, 0, 'substitution'],
      [3, 0, 'substitution'],
    ]);
  });

  test('what a text defines', () => {
    expect([...parseScript('f() { a; }; function g { b; }; alias h=i').defined]).toEqual(['f', 'g', 'h']);
  });

  test('assignments before a command are none of its words', () => {
    const [first] = parseScript('A=1 B=~/x C=$(y) a').invocations;
    expect(first?.assignments.map(({ name, value }) => `${name}=${describeWord(value)}`)).toEqual([
      'A=1',
      'B=~/x',
      'C=substitution($(y))',
    ]);
  });

  test.each([
    ['A+=x', 'unreadable(A+=x)'],
    ['A=(1 2)', 'unreadable(A=(1 2))'],
    ['A[1]=x', 'unreadable(A[1]=x)'],
    ['A=*.c', '*.c'],
    ['A=a:~', 'tilde(a:~)'],
  ])('the value of %s', (text, value) => {
    const [only] = parseScript(text).invocations;
    expect(only?.assignments.map((assignment) => describeWord(assignment.value))).toEqual([value]);
  });
});

describe('what may not run', () => {
  test.each([
    ['a && b', ['always', 'conditional']],
    ['a; b | c', ['always', 'always', 'always']],
    ['if a; then b; fi', ['always', 'conditional']],
    ['while a; do b; done', ['always', 'conditional']],
    ['for i in x; do b; done', ['conditional']],
    ['case x in x) b;; esac', ['conditional']],
    ['f() { a; }', ['conditional']],
    ['a || x $(b)', ['always', 'conditional', 'conditional']],
  ])('%s', (text, runs) => {
    expect(parseScript(text).invocations.map((invocation) => invocation.runs)).toEqual(runs);
  });
});

describe('shells, operators and places', () => {
  test.each([
    ['cd a && b', ['0 any list', '0 success list']],
    ['a || (b; c)', ['0 any list', '1 failure list', '1 any list']],
    ['a | b', ['1 any list', '2 any list']],
    ['a & b', ['1 any list', '0 any list']],
    ['a $(b && c)', ['0 any list', '1 any list', '1 success list']],
    ['if a; then b; c; fi', ['0 any list', '0 any branch', '0 any branch']],
    ['while a; do b; done', ['0 any branch', '0 any branch']],
    ['{ a; b; } && { c; d; }', ['0 any list', '0 any list', '0 success list', '0 any list']],
    ['coproc a', ['1 any list']],
  ])('%s', (text, places) => {
    expect(parseScript(text).invocations.map(({ shell, after, place }) => `${shell} ${after} ${place}`)).toEqual(
      places,
    );
  });

  test('each shell knows the one that it is a copy of', () => {
    expect(parseScript('(a; (b))').shells).toEqual([undefined, 0, 1]);
  });
});

describe('hidden characters', () => {
  test.each([
    'rm\u{200B} x',
    'a \u{202E}b',
    'a\u{A0}b',
    'a\rb',
    'a\u{0}b',
    'a\u{E0041}',
    'a\u{2800}',
    'a\u{FEFF}',
    'a\u{1B}[0m',
    'a \u{D800}',
  ])('%j is asked about', (text) => {
    expect(reasonsOf(text)).toContain('syntax');
  });

  test.each([
    "x 'ça \u{26A0}\u{FE0F}'",
    "x '\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}'",
    "x 'می\u{200C}خواهم'",
    "x 'naïve 漢字'",
  ])('%j shows all that it is', (text) => {
    expect(reasonsOf(text)).toEqual([]);
  });
});

describe('budgets', () => {
  test('steps', () => {
    expect(parseScript('a b c; d e f', { budget: { steps: 5 } }).opaque.map(({ kind }) => kind)).toEqual(['budget']);
  });

  test('scripts within scripts', () => {
    expect(reasonsOf(`${'$(a '.repeat(64)}${')'.repeat(64)}`)).toEqual([]);
    expect(reasonsOf(`${'$(a '.repeat(65)}${')'.repeat(65)}`)).toEqual(['budget']);
    expect(parseScript('$(a)', { depth: 64 }).opaque.map(({ kind }) => kind)).toEqual(['budget']);
  });

  test('a long text that is nested costs its length on each level', () => {
    const text = (depth: number): string => `${'$[ '.repeat(depth)}1${' '.repeat(20_000)}${']'.repeat(depth)}`;
    expect(reasonsOf(text(5))).toEqual([]);
    expect(reasonsOf(text(500))).toContain('budget');
  });

  test('one meter for several scripts', () => {
    const meter = createMeter({ steps: 30 });
    const reasons = [1, 2, 3, 4].map(() => parseScript('a b; c d', { meter }).opaque.length);
    expect(reasons).toEqual([0, 0, 0, 1]);
  });

  test('length', () => {
    expect(reasonsOf(`a ${'x'.repeat(32_766)}`)).toEqual([]);
    expect(reasonsOf(`a ${'x'.repeat(32_767)}`)).toEqual(['budget']);
  });
});
