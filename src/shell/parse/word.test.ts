import { describe, expect, test } from 'vitest';
import { commandsOf } from './testing/describe.ts';

/** The second word of `x WORD`. */
function read(word: string): string | undefined {
  return commandsOf(`x ${word}`)[0]?.slice(2);
}

describe('a word', () => {
  test.each([
    ['abc', 'abc'],
    ["'a b'", 'a b'],
    ['"a b"', 'a b'],
    ['a\\ b', 'a b'],
    ['r\\m', 'rm'],
    ['r\\\nm', 'rm'],
    ["r''m", 'rm'],
    ["$'\\x72m'", 'rm'],
    ["$'\\162m'", 'rm'],
    ["$'a\\tb'", 'a\tb'],
    ['"a\\`b\\"c\\q\\$d"', 'a`b"c\\q$d'],
    ["'it'\\''s'", "it's"],
    ['\\*', '*'],
    ["'*'", '*'],
    ['{a}', '{a}'],
    ['{}', '{}'],
    ['{a', '{a'],
    ["{'a,b'}", '{a,b}'],
    ['[', '['],
    ['a#b', 'a#b'],
    ['--a=b', '--a=b'],
    ['--prefix=~/x', '--prefix=~/x'],
    ['a:~', 'a:~'],
    ["''", ''],
    ["$'a\\0b'", 'a'],
  ])('%s is known', (word, value) => {
    expect(read(word)).toBe(value);
  });

  test.each([
    ['~', '~'],
    ['~/x', '~/x'],
    ['~/"x y"', '~/x y'],
  ])('%s is below the home directory', (word, value) => {
    expect(read(word)).toBe(value);
  });

  test.each([
    ['*.c', 'glob(|*.c)'],
    ['src/*.c', 'glob(src/|src/*.c)'],
    ['"a b"?', 'glob(a b|"a b"?)'],
    ['x[ab]', 'glob(x|x[ab])'],
    ['x[1]=2', 'glob(x|x[1]=2)'],
    ['@(a|b)', 'glob(|@(a|b))'],
    ['a!(b)', 'glob(a|a!(b))'],
  ])('%s is a pattern', (word, described) => {
    expect(read(word)).toBe(described);
  });

  test.each([
    ['$x', 'expansion'],
    ['"$x"', 'expansion'],
    ['a${x}', 'expansion'],
    ['${x@Q}', 'expansion'],
    ['${!x}', 'expansion'],
    ['$1', 'expansion'],
    ['$(a)', 'substitution'],
    ['"`a`"', 'substitution'],
    ['<(a)', 'substitution'],
    ['@(a|$(b))', 'substitution'],
    ['[$x]', 'expansion'],
    ['$((1))', 'arithmetic'],
    ['$[1]', 'arithmetic'],
    ['{a,b}', 'brace'],
    ['{rm,-rf}', 'brace'],
    ['{1..3}', 'brace'],
    ['a{b,"c"}', 'brace'],
    ['~root', 'tilde'],
    ['~+', 'tilde'],
    ["~''", 'tilde'],
    ["~''/x", 'tilde'],
    ['of=~/x', 'tilde'],
    ['p=a:~', 'tilde'],
    ['$"a"', 'unreadable'],
    ["$'\\xff'", 'unreadable'],
    ["$'\\u00e9'", 'unreadable'],
    ["$'\\cA'", 'unreadable'],
    ["$'\\\n'", 'unreadable'],
  ])('%s is not known, because of %s', (word, because) => {
    expect(read(word)).toBe(`${because}(${word})`);
  });

  test('the name of a program is read like any other word', () => {
    expect(commandsOf("'rm' x; r\\m y; {rm,-rf,x}; $x z; /bin/r? q")).toEqual([
      'rm x',
      'rm y',
      'brace({rm,-rf,x})',
      'expansion($x) z',
      'glob(/bin/r|/bin/r?) q',
    ]);
  });
});
