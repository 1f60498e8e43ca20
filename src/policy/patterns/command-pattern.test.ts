import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandIndex, type CommandQuery } from './command-index.ts';
import { commandPatternOf, parseCommandPattern, parseForward, wordsOf } from './command-pattern.ts';
import { canonicalise } from './command-words.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('wordsOf', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['git', ['git']],
    ['git push', ['git', 'push']],
    ['  git   push  ', ['git', 'push']],
    ['git\tpush', ['git', 'push']],
    ["git commit -m 'a b'", ['git', 'commit', '-m', 'a b']],
    ['echo "a b" c', ['echo', 'a b', 'c']],
    [`a'b c'd`, ['ab cd']],
    [`"it's"`, ["it's"]],
    [`''`, ['']],
    [`x '' y`, ['x', '', 'y']],
    [`'a'"'"'b'`, [`a'b`]],
    ['a\\*b', ['a\\*b']],
  ])('%j', (source, words) => {
    expect(wordsOf(source)).toEqual(words);
  });

  test.each(["'a", 'a"', `a 'b" c`, 'a\nb', 'a\0b', 'a\u001bb'])('%j is not a command', (source) => {
    expect(wordsOf(source)).toBeUndefined();
  });
});

describe('parseCommandPattern', () => {
  test.each([
    ['', 'an empty command'],
    ['   ', 'an empty command'],
    ["git 'x", 'open quote'],
    ['git push | tee', 'shell syntax "|"'],
    ['a && b', 'shell syntax "&&"'],
    ['a ; b', 'shell syntax ";"'],
    ['a > b', 'shell syntax ">"'],
    ['echo $(id)', 'shell syntax "$(id)"'],
    ['echo `id`', 'shell syntax "`id`"'],
    ['(a)x )', 'shell syntax ")"'],
    ['a\nb', 'control character'],
  ])('%j is refused: %s', (source, part) => {
    expect(parseCommandPattern(source)).toMatchObject({
      kind: 'problem',
      message: expect.stringContaining(part),
      remedy: expect.stringMatching(/\w/),
    });
  });

  test('a word that only holds such a character is a word', () => {
    expect(parseCommandPattern('rg a|b')).toMatchObject({ kind: 'command' });
    expect(parseCommandPattern('npm --x=<y>')).toMatchObject({ kind: 'command' });
    expect(parseCommandPattern("find . -name ';' -o '|'")).toMatchObject({ kind: 'command' });
    expect(parseCommandPattern("echo '$(id)' '`'")).toMatchObject({ kind: 'command' });
  });
});

const planted = (program: string): boolean => program.startsWith('/w/');

function matches(
  source: string,
  argv: readonly string[],
  options: Partial<CommandQuery> & { readonly programs?: 'any' | 'trusted' } = {},
): boolean {
  const { programs = 'any', ...overrides } = options;
  const pattern = parseCommandPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  const query: CommandQuery = { program: argv[0] ?? '', argv, context: 'direct', ...overrides };
  return (
    commandIndex([{ pattern, order: 0, value: true, programs, words: programs === 'any' ? 'wide' : 'narrow' }], {
      isPlanted: planted,
      canonicalise,
    }).first(query) !== undefined
  );
}

describe('matches of a pattern', () => {
  test.each([
    ['git', ['git']],
    ['git', ['git', 'push']],
    ['git push', ['git', 'push']],
    ['git push', ['git', 'push', 'origin', 'main']],
    ['git push *', ['git', 'push', 'origin']],
    ['git * origin', ['git', 'push', 'origin']],
    ['git p*', ['git', 'pull']],
    ['npm run build:*', ['npm', 'run', 'build:prod']],
    ['*', ['anything']],
    ['python3*', ['python3.12', 'x.py']],
    ['git commit -m *', ['git', 'commit', '-m', 'a\nb']],
    ["rm -rf '/my dir'", ['rm', '-rf', '/my dir']],
    ['echo \\*', ['echo', '*']],
    ["x ''", ['x', '']],
  ])('%j matches %j', (source, argv) => {
    expect(matches(source, argv)).toBe(true);
  });

  test.each([
    ['git', ['gitk']],
    ['git', ['GIT']],
    ['git push', ['git']],
    ['git push', ['git', 'pull']],
    ['git push *', ['git', 'push']],
    ['git p', ['git', 'push']],
    ['echo \\*', ['echo', 'x']],
    ['push', ['git', 'push']],
  ])('%j does not match %j', (source, argv) => {
    expect(matches(source, argv)).toBe(false);
  });
});

describe('which program is meant', () => {
  test('a bare name means the program at any place', () => {
    expect(matches('git push', ['git', 'push'], { program: '/usr/bin/git' })).toBe(true);
    expect(matches('git push', ['git', 'push'], { program: '/usr/bin/gitk' })).toBe(true);
    expect(matches('git push', ['x', 'push'], { program: '/usr/bin/gitk' })).toBe(false);
  });

  test('denials look at argv[0] too; grants do not trust it', () => {
    expect(matches('git', ['git', 'push'], { program: '/opt/x/other', programs: 'any' })).toBe(true);
    expect(matches('git', ['git', 'push'], { program: '/opt/x/other', programs: 'trusted' })).toBe(false);
    expect(matches('g*', ['git', 'push'], { program: '/opt/x/other', programs: 'trusted' })).toBe(false);
    expect(matches('g*', ['git', 'push'], { program: '/opt/x/other', programs: 'any' })).toBe(true);
  });

  test('grants never take a planted program for the real one', () => {
    expect(matches('git', ['git'], { program: '/w/bin/git', programs: 'trusted' })).toBe(false);
    expect(matches('g*', ['git'], { program: '/w/bin/git', programs: 'trusted' })).toBe(false);
    expect(matches('git', ['git'], { program: '/w/bin/git', programs: 'any' })).toBe(true);
    expect(matches('git', ['git'], { program: '/usr/bin/git', programs: 'trusted' })).toBe(true);
    expect(matches('/w/bin/git', ['git'], { program: '/w/bin/git', programs: 'trusted' })).toBe(true);
    expect(matches('/w/bin/*', ['git'], { program: '/w/bin/git', programs: 'trusted' })).toBe(true);
  });

  test('a path means that path only', () => {
    expect(matches('/usr/bin/git', ['git'], { program: '/usr/bin/git' })).toBe(true);
    expect(matches('/usr/bin/git', ['git'], { program: '/opt/git' })).toBe(false);
    expect(matches('/opt/*/tool', ['tool'], { program: '/opt/x/tool' })).toBe(true);
    expect(matches('/opt/*/tool', ['tool'], { program: '/usr/x/tool' })).toBe(false);
  });

  test('the context is asked where a pattern names one', () => {
    const pattern = parseCommandPattern('git');
    if (pattern.kind === 'problem') throw new Error();
    const index = commandIndex(
      [{ pattern, order: 0, value: true, programs: 'any', words: 'wide', context: 'nested' }],
      { isPlanted: planted, canonicalise },
    );
    expect(index.first({ program: 'git', argv: ['git'], context: 'nested' })).toBeDefined();
    expect(index.first({ program: 'git', argv: ['git'], context: 'direct' })).toBeUndefined();
  });
});

test('the lowest order wins, by name, by path, by argv[0] and by wildcard', () => {
  const sources = ['g*', 'git push', '/usr/bin/git', 'alias', 'git'];
  const entries = sources.map((source, order) => {
    const pattern = parseCommandPattern(source);
    if (pattern.kind === 'problem') throw new Error(source);
    return { pattern, order, value: source, programs: 'any', words: 'wide' } as const;
  });
  const query: CommandQuery = { program: '/usr/bin/git', argv: ['alias', 'push'], context: 'direct' };
  const firstOf = (list: typeof entries): string | undefined =>
    commandIndex(list, { isPlanted: planted, canonicalise }).first(query)?.value;
  expect(firstOf(entries)).toBe('g*');
  expect(firstOf(entries.slice(1))).toBe('git push');
  expect(firstOf(entries.slice(2))).toBe('/usr/bin/git');
  expect(firstOf(entries.slice(3))).toBe('alias');
  expect(firstOf(entries.slice(4))).toBe('git');
  expect(firstOf(entries.toReversed())).toBe('g*');
});

describe('commandPatternOf', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', '-', ' ', "'", '"', '*', '?', '\\', '$', '|', '\n', '\u00e9', '`', '('),
    maxLength: 6,
  });

  test('matches the command it was made from', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const argv = ['tool', ...words];
        expect(matches(commandPatternOf(argv), argv)).toBe(true);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('matches no other words', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (words, others) => {
          fc.pre(words.every((text) => !text.includes('\n')));
          const isPrefix = words.every((text, index) => text === others[index]);
          expect(matches(commandPatternOf(['tool', ...words]), ['tool', ...others], { programs: 'trusted' })).toBe(
            isPrefix,
          );
        },
      ),
      { numRuns: rounds(1000) },
    );
  });
});

test.each([
  ['8080', 8080, 8080],
  ['1', 1, 1],
  ['65535', 65_535, 65_535],
  ['3000:8080', 3000, 8080],
  ['65535:1', 65_535, 1],
])('%j shows port %i of the host from port %i of the box', (source, host, box) => {
  expect(parseForward(source)).toEqual({ kind: 'forward', host, box });
});

test.each([
  '',
  '0',
  '65536',
  '99999',
  '8080:',
  ':8080',
  '8080:0',
  '0:8080',
  '1:2:3',
  '80-90',
  '-1',
  '1.5',
  ' 80',
  '80 ',
  '8e3',
  '0x50',
  'http',
  '127.0.0.1:80',
  '8080\n',
  '٨٠',
])('%j is refused with what to write', (source) => {
  expect(parseForward(source)).toMatchObject({
    kind: 'problem',
    message: expect.stringContaining(`"${source}"`),
    remedy: expect.stringContaining('3000:8080'),
  });
});

test('any text is a forward or a problem, and a forward has usable ports', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('0', '1', '9', ':', '-', ' ', 'x'), maxLength: 12 }), (source) => {
      const parsed = parseForward(source);
      if (parsed.kind === 'problem') return;
      for (const port of [parsed.host, parsed.box]) expect(port >= 1 && port <= 65_535).toBe(true);
    }),
    { numRuns: rounds(1000) },
  );
});
