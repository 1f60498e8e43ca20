import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { type CommandPattern, parseCommandPattern } from '../patterns/command-pattern.ts';
import { exec } from '../testing/requests.ts';
import { matchedWords } from './message.ts';
import { redirectArgv } from './verdict-of.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function patternOf(source: string): CommandPattern {
  const pattern = parseCommandPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  return pattern;
}

const about = (source: string, command: string, purpose: 'show' | 'substitute' = 'substitute') =>
  matchedWords({ pattern: patternOf(source) }, exec(...command.split(' ')), purpose);

describe('matchedWords', () => {
  test.each([
    ['git push --force', 'git push origin -f main', 'git push -f', 'origin main'],
    ['git push --force', 'git push -uf origin', 'git push -uf', '-u origin'],
    ['git push --force', 'git -C dir push -f', 'git push -f', '-C dir'],
    ['git push --force', 'git push -f x --force', 'git push -f --force', 'x'],
    ['git push', 'git push push', 'git push', 'push'],
    ['rm -r -f', 'rm -fr x', 'rm -fr', 'x'],
    ['rm -r', 'rm -vfr x', 'rm -vfr', '-vf x'],
    ['rm -r', 'rm --recurs x', 'rm --recurs', 'x'],
    ['rm -r', 'rm -r -- -r', 'rm -r', '-- -r'],
    ['sort -o *', 'sort -r -o x y', 'sort -o x', '-r y'],
    ['sort -o *', 'sort -ox y', 'sort -ox', 'y'],
    ['sort -o *', 'sort --output=x y', 'sort --output=x', 'y'],
    ['git push --no-*', 'git push --no-verify origin', 'git push --no-verify', 'origin'],
    ['mytool deploy', 'mytool -v deploy x', 'mytool deploy', '-v x'],
    ['mytool', 'mytool x', 'mytool', 'x'],
  ])('%j in %j: %j, with the rest %j', (...[source, command, matched, rest]) => {
    expect(about(source, command)).toEqual({ matched: matched.split(' '), rest: rest.split(' ') });
  });

  test('a long command is split at its first words only, without a rest', async () => {
    const longOf = (words: number): string => `git ${'-q '.repeat(words)}push -f`;
    const long = longOf(400);
    expect(about('git push -f', long).rest).toBeUndefined();
    expect(about('git push -f', long, 'show').matched[0]).toBe('git');
    expect(await growth((words) => about('git push -f', longOf(words)), 4000)).toBeLessThan(linear);
  });

  test('no rest appears twice, with any words', () => {
    const word: fc.Arbitrary<string> = fc.constantFrom(
      'push',
      'origin',
      '-f',
      '-uf',
      '--force',
      '--',
      '-C',
      'x',
      '-',
      '',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const { matched, rest = [] } = matchedWords(
          { pattern: patternOf('git push --force') },
          exec('git', ...words),
          'substitute',
        );
        expect(matched.length - 1 + rest.length).toBeLessThanOrEqual(words.length * 2);
        expect(matched.slice(1).every((each) => words.includes(each))).toBe(true);
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe('redirectArgv', () => {
  const instead = (words: readonly string[], command: string, unknown?: readonly number[]) => {
    const request = exec(...command.split(' '));
    return redirectArgv(
      { pattern: patternOf('git push -f'), instead: words },
      unknown === undefined ? request : { ...request, unknown },
    );
  };

  test.each<[readonly string[], string, readonly string[] | undefined]>([
    [['echo', 'no'], 'git push -f x', ['echo', 'no']],
    [['echo', '{args}'], 'git push -f x', ['echo', 'push', '-f', 'x']],
    [['echo', '{rest}'], 'git push -f x', ['echo', 'x']],
    [['echo', '{rest}'], 'git push -f', ['echo']],
    [['echo', '{operands}'], 'git push -f x --repo=y z', ['echo', 'push', 'x', 'z']],
    [['echo', '{operands}'], 'git', ['echo']],
    [['echo', '{1}', '{2}'], 'git push -f x', ['echo', 'push', 'x']],
    [['echo', '{3}'], 'git push -f x', undefined],
    [['echo', 'a{1}', '{0}', '{x}'], 'git push -f x', ['echo', 'a{1}', '{0}', '{x}']],
  ])('%j for %j: %j', (words, command, argv) => {
    expect(instead(words, command)).toEqual(argv);
  });

  test('an unknown word is never inserted', () => {
    expect(instead(['echo', '{args}'], 'git push -f $x', [3])).toBeUndefined();
    expect(instead(['echo', '{1}'], 'git push -f $x', [3])).toBeUndefined();
    expect(instead(['echo', 'no'], 'git push -f $x', [3])).toEqual(['echo', 'no']);
  });

  test('a word of a command stays one word, with any content', () => {
    const request = exec('git', 'push', '-f', 'a b; rm -rf /', '{args}');
    expect(redirectArgv({ pattern: patternOf('git push -f'), instead: ['echo', '{rest}'] }, request)).toEqual([
      'echo',
      'a b; rm -rf /',
      '{args}',
    ]);
  });

  test('without another command there is no redirect', () => {
    expect(redirectArgv({ pattern: patternOf('git') }, exec('git'))).toBeUndefined();
  });
});
