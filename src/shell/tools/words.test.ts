import { describe, expect, test } from 'vitest';
import type { Word } from '../types.ts';
import { isInput, mayBeOption, mayBeSeveral, wordAsTyped, staticWord, plainText } from './words.ts';

const span = { start: 0, end: 0 };
const dynamic = (text: string): Word => ({ kind: 'dynamic', text, because: 'expansion', span });
const glob = (text: string, prefix: string): Word => ({ kind: 'glob', text, prefix, span });
const home = (value: string): Word => ({ kind: 'static', value, lead: 'home', span });

test.each(['-', '/dev/stdin', '/dev/fd/0', '/dev/fd/63', '/proc/self/fd/0', '/proc/thread-self/fd/10'])(
  '%s is what another process writes',
  (name) => {
    expect(isInput(name)).toBe(true);
  },
);

test.each([
  undefined,
  '',
  '-x',
  'x-',
  '--',
  '/dev/stdinx',
  './-',
  '/dev/fd/',
  '/dev/fd/0x',
  '/dev/fd/x',
  '/x/dev/fd/0',
  '/proc/self/fd/0x',
  '/proc/1/fd/0',
  '/proc/self/fd',
])('%j is a file', (name) => {
  expect(isInput(name)).toBe(false);
});

describe('how many words the program gets', () => {
  test.each(['"$x"', '"a$x"', '"$(id)"', '"$*"', '"${x:-y}"', '"`id`"', '"${#x}"'])('%s is one', (text) => {
    expect(mayBeSeveral(dynamic(text))).toBe(false);
  });

  test.each([
    '$x',
    'a$x',
    'a"$@"',
    'a"$x"$y',
    'a*"$x"',
    '{a,b}"$x"',
    '<(a)$x',
    '<(a)/../"$x"',
    '"$@"',
    '"${a[@]}"',
    '"${!x}"',
    '"${!x*}"',
    '"a${!x}b"',
    '"a"$x"b"',
    '"$(echo "a")"',
    '{a,b}',
    '"$x',
    '',
    '"',
    "'a'$x",
  ])('%s may be several', (text) => {
    expect(mayBeSeveral(dynamic(text))).toBe(true);
  });

  test('a pattern may be several, a static word is one', () => {
    expect(mayBeSeveral(glob('a*', 'a'))).toBe(true);
    expect(mayBeSeveral(staticWord('a b'))).toBe(false);
  });
});

describe('whether it may be an option', () => {
  test.each<readonly [Word, boolean]>([
    [staticWord('-a'), true],
    [staticWord('-'), true],
    [staticWord('a-'), false],
    [staticWord(''), false],
    [home('/-a'), false],
    [home('-a'), false],
    [glob('*', ''), true],
    [glob('-*', '-'), true],
    [glob('a*', 'a'), false],
    [dynamic('$x'), true],
    [dynamic('"$x"'), true],
    [dynamic('a$x'), true],
    [dynamic('"a$x"'), false],
    [dynamic('a="$x"'), false],
    [dynamic('HEAD:"$x"'), false],
    [dynamic('-o"$x"'), true],
    [dynamic('+"$x"'), true],
    [dynamic('<(a)'), false],
    [dynamic('<(a (b) c)'), false],
    [dynamic('<(a)$x'), true],
    [dynamic('"$!"'), false],
    [dynamic('$!'), false],
    [dynamic('"/$x"'), false],
    [dynamic('"./$x"'), false],
    [dynamic('"-$x"'), true],
    [dynamic('"+$x"'), true],
    [dynamic('"\\-$x"'), true],
    [dynamic('"a$@"'), true],
    [dynamic('"`id`"'), true],
  ])('%j: %s', (word, expected) => {
    expect(mayBeOption(word)).toBe(expected);
  });
});

test.each<readonly [Word, string, string | undefined]>([
  [staticWord('a'), 'a', 'a'],
  [home('/a'), '~/a', undefined],
  [home(''), '~', undefined],
  [glob('a*', 'a'), 'a*', undefined],
  [dynamic('$x'), '$x', undefined],
])('%j is shown as %s', (word, text, exact) => {
  expect(wordAsTyped(word)).toBe(text);
  expect(plainText(word)).toBe(exact);
});

test('no word has no text', () => {
  expect(plainText(undefined)).toBeUndefined();
});
