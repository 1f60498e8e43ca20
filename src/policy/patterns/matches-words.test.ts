import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { canonicalise } from './command-words.ts';
import { type CommandPattern, parseCommandPattern } from './command-pattern.ts';
import { type MatchReach, wordsMatcher } from './matches-words.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const matcher = wordsMatcher(canonicalise);

function patternOf(source: string): CommandPattern {
  const pattern = parseCommandPattern(source);
  if (pattern.kind === 'problem') throw new Error(pattern.message);
  return pattern;
}

/** `$` is an unknown argument. */
function read(command: string) {
  const argv = command.split(' ');
  const unknown = argv.flatMap((word, index) => (word === '$' ? [index] : []));
  return matcher.read({ argv, unknown }, argv[0] ?? '');
}

const matches = (source: string, command: string, reach: MatchReach): boolean =>
  matcher.matches(patternOf(source), read(command), reach);

describe('denials: options in every spelling and order', () => {
  test.each([
    ['rm -r -f', 'rm -rf x'],
    ['rm -r -f', 'rm -fr x'],
    ['rm -r -f', 'rm x -f y -R'],
    ['rm -r -f', 'rm --recursive --force x'],
    ['rm -r -f', 'rm --force -vr x'],
    ['rm -rf', 'rm -f -r'],
    ['rm --recursive', 'rm -R x'],
    ['rm -rf /', 'rm / -rf'],
    ['rm -r', 'rm --recurs x'],
    ['git push --force', 'git push origin main --force'],
    ['git push --force', 'git push -f'],
    ['git push --force', 'git -C /srv push -uf origin'],
    ['git push --force', 'git push --for origin'],
    ['git push -f', 'git push --force'],
    ['git push', 'git -c a=b push'],
    ['git push', 'git --no-pager push origin'],
    ['git push origin', 'git push -q origin main'],
    ['sort --output=*', 'sort -o x y'],
    ['sort --output=*', 'sort -ox y'],
    ['sort -o *', 'sort --output x y'],
    ['sort --output=/etc/*', 'sort y -o /etc/passwd'],
    ['mytool --force', 'mytool deploy --force'],
    ['mytool -f', 'mytool -vf'],
    ['mytool -xvf', 'mytool -f -v -x'],
    ['mytool -xvf', 'mytool -fxv'],
    ['mytool deploy', 'mytool --region eu deploy'],
    ['mytool --level=*', 'mytool run --level=9'],
    ['git push --no-*', 'git push origin --no-verify'],
    ['find -delete', 'find . -name x -delete'],
    ['find -exec', 'find . -exec rm x ;'],
    ['npm install', 'npm i left-pad'],
    ['npm i', 'npm install left-pad'],
    ['git * --force', 'git push origin -f'],
  ])('%j matches %j', (source, command) => {
    expect(matches(source, command, 'wide')).toBe(true);
  });

  test.each([
    ['rm -r -f', 'rm -r x'],
    ['rm -r', 'rm -f x'],
    ['rm -r', 'rm -- -r'],
    ['rm --recursive', 'rm recursive'],
    ['git push --force', 'git push origin'],
    ['git push --force', 'git push --force-with-lease'],
    ['git push', 'git commit -m push'],
    ['git push', 'git log push'],
    ['git push origin', 'git push upstream origin'],
    ['sort --output=/etc/*', 'sort -o /tmp/x y'],
    ['sort -o *', 'sort -r x'],
    ['mytool -xvf', 'mytool -xv'],
    ['mytool deploy prod', 'mytool prod deploy'],
    ['find -delete', 'find . -name delete'],
    ['find -delete', 'find . -name d'],
    ['git push --no-*', 'git push origin --quiet'],
  ])('%j does not match %j', (source, command) => {
    expect(matches(source, command, 'wide')).toBe(false);
  });
});

describe('grants: the words as written, or an understood command', () => {
  test.each([
    ['git status', 'git status'],
    ['git status', 'git status --short'],
    ['rm -r', 'rm -vr x'],
    ['rm -r -f', 'rm -fr x'],
    ['ls -l *', 'ls -l x'],
    ['mytool build *', 'mytool build all'],
    ['mytool -x', 'mytool -x y'],
    ['git push --force', 'git push --force origin'],
    ['git -C * status', 'git -C /srv status'],
  ])('%j matches %j', (source, command) => {
    expect(matches(source, command, 'narrow')).toBe(true);
  });

  test.each([
    ['git status', 'git -c core.pager=x status'],
    ['git status', 'git -C /srv status'],
    ['git *', 'git -c core.pager=x status'],
    ['git * origin', 'git --exec-path=x origin'],
    ['rm -r', 'rm --recurs x'],
    ['rm -r', 'rm --odd -r x'],
    ['rm -r', 'rm -- -r'],
    ['mytool -x', 'mytool y -x'],
    ['mytool build', 'mytool -v build'],
  ])('%j does not match %j', (source, command) => {
    expect(matches(source, command, 'narrow')).toBe(false);
  });
});

describe('unknown words', () => {
  const could = (source: string, command: string): boolean => matcher.couldMatch(patternOf(source), read(command));

  test.each([
    ['git push --force', 'git push $'],
    ['git push', 'git $'],
    ['git push', 'git $ status'],
    ['git push', 'git -C $ status'],
    ['rm -r', 'rm x $'],
    ['mytool x y', 'mytool x $ z'],
  ])('%j could match %j', (source, command) => {
    expect(could(source, command)).toBe(true);
  });

  test.each([
    ['git push', 'git commit -m $'],
    ['git push', 'git status'],
    ['mytool x y', 'mytool z $'],
  ])('%j could not match %j', (source, command) => {
    expect(could(source, command)).toBe(false);
  });

  test.each([
    ['git push', 'git $ push'],
    ['git push', 'git push-$'],
    ['git *', 'git $'],
    ['git push *', 'git push $'],
    ['sort -o *', 'sort -o $ x'],
  ])('%j does not match %j for certain', (source, command) => {
    expect(matches(source, command, 'wide')).toBe(false);
    expect(matches(source, command, 'narrow')).toBe(false);
  });

  test('words before or beside them still match', () => {
    expect(matches('git push', 'git push $', 'wide')).toBe(true);
    expect(matches('git push', 'git push $', 'narrow')).toBe(true);
    expect(matches('git push --force', 'git push $ --force', 'wide')).toBe(true);
    expect(matches('git push --force', 'git -C $ push --force', 'wide')).toBe(true);
    expect(matches('git push --force', 'git push $ --force', 'narrow')).toBe(false);
  });
});

describe('laws', () => {
  const options = fc.shuffledSubarray(['-r', '-f', '-v', '-i'], { minLength: 1 });
  const spellings: Readonly<Record<string, readonly string[]>> = {
    '-r': ['-r', '-R', '--recursive'],
    '-f': ['-f', '--force'],
    '-v': ['-v', '--verbose'],
    '-i': ['-i'],
  };

  test('neither spelling nor order nor place changes what restricts', () => {
    fc.assert(
      fc.property(
        options,
        options,
        fc.tuple(fc.nat(4), fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2)),
        (wanted, given, [at, ...picks]) => {
          const spelled = given.map(
            (option, index) => spellings[option]?.[(picks[index] ?? 0) % spellings[option].length] ?? option,
          );
          const words = [...spelled.slice(0, at), 'x', ...spelled.slice(at)];
          expect(matches(`rm ${wanted.join(' ')}`, `rm ${words.join(' ')}`, 'wide')).toBe(
            wanted.every((option) => given.includes(option)),
          );
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  const word = fc.constantFrom('rm', 'git', 'push', '-r', '-rf', '--', '--force', '-C', 'x', '$', '*', '-c', 'a=b', '');

  test('a narrow match is also a wide match', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('git push', 'git * -r', 'rm -r', 'rm x', 'git -C x push', 'x --force'),
        fc.array(word, { maxLength: 6 }),
        (source, words) => {
          const command = [source.split(' ')[0], ...words].join(' ');
          if (matches(source, command, 'narrow')) expect(matches(source, command, 'wide'), command).toBe(true);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  test('a long command takes linear time', async () => {
    expect(
      await growth((words) => matches('git push --force', `git ${'-c x '.repeat(words)}push`, 'wide'), 4000),
    ).toBeLessThan(linear);
    expect(
      await growth((words) => matches('git push --force', `git ${'x '.repeat(words)}push --force`, 'narrow'), 4000),
    ).toBeLessThan(linear);
  });
});
