import { describe, expect, test } from 'vitest';
import type { Word } from '../types.ts';
import { parseArguments } from './parse-arguments.ts';
import { shownOptions, words } from './testing/words.ts';
import type { ToolSpec } from './types.ts';

const getopt: ToolSpec = {
  names: ['tool'],
  grammar: 'getopt',
  operands: { kind: 'each', role: 'read' },
  options: [
    { names: ['-r', '-R', '--recursive'] },
    { names: ['-f', '--force'] },
    { names: ['-#'] },
    { names: ['-1'] },
    { names: ['-o', '--output'], value: 'required', role: 'write' },
    { names: ['-i', '--in-place'], value: 'optional' },
    { names: ['-x', '--exec'], value: 'required', role: 'command-list' },
    { names: ['-c'], value: 'required', role: 'command' },
    { names: ['-nv'] },
  ],
};
const posix: ToolSpec = { ...getopt, grammar: 'getopt-posix' };
const long: ToolSpec = {
  ...getopt,
  grammar: 'long',
  options: [
    { names: ['-name'], value: 'required' },
    { names: ['-v', '-verbose'] },
    { names: ['-D*'], value: 'required' },
    { names: ['-colour'], value: 'optional' },
  ],
};
const plus: ToolSpec = { ...getopt, options: [{ names: ['-e'] }, { names: ['+e'] }] };

describe('getopt', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['-rf a', ['-r', '-f'], ['a']],
    ['-fr a', ['-f', '-r'], ['a']],
    ['a -R --force b', ['-R', '--force'], ['a', 'b']],
    ['-ofile a', ['-o=file'], ['a']],
    ['-o file a', ['-o=file'], ['a']],
    ['-rofile', ['-r', '-o=file'], []],
    ['-force', ['-f', '-o=rce'], []],
    ['-o -f', ['-o=-f'], []],
    ['-o -- -f', ['-o=--', '-f'], []],
    ['--output=file', ['--output=file'], []],
    ['--output=', ['--output='], []],
    ['--output file', ['--output=file'], []],
    ['--output=a=b', ['--output=a=b'], []],
    ['-i a', ['-i'], ['a']],
    ['-i.bak a', ['-i=.bak'], ['a']],
    ['--in-place=.bak a', ['--in-place=.bak'], ['a']],
    ['--in-place a', ['--in-place'], ['a']],
    ['-20 a', ['-20'], ['a']],
    ['-1 a', ['-1'], ['a']],
    ['-nv a', ['-nv'], ['a']],
    ['-r -- -f --', ['-r'], ['-f', '--']],
    ['- a', [], ['-', 'a']],
    ['-x rm {} ; a', ['-x:rm {}'], ['a']],
    ['-x rm {} + a', ['-x:rm {}'], ['a']],
    ['-x rm + a', ['-x:rm + a'], []],
    ['-c rm -rf a', ['-c:rm -rf a'], []],
  ])('%s', (line, options, operands) => {
    const parsed = parseArguments(getopt, words(line));
    expect(shownOptions(parsed)).toEqual(options);
    expect(shownOperands(parsed.operands)).toEqual(operands);
    expect(parsed.unknown).toEqual([]);
  });

  test.each<readonly [string, readonly string[]]>([
    ['-z', ['-z']],
    ['-rz', ['-rz']],
    ['-nvr', ['-nvr']],
    ['--recurs', ['--recurs']],
    ['--forc a', ['--forc']],
    ['--force=1', ['--force=1']],
    ['--rec --out=x', ['--rec', '--out=x']],
    ['--output', ['--output']],
    ['-o', ['-o']],
    ['-x', ['-x']],
    ['-¹', ['-¹']],
  ])('%s is not understood', (line, unknown) => {
    const parsed = parseArguments(getopt, words(line));
    expect(parsed.unknown).toEqual(
      unknown.map((value) => ({ kind: 'unknown-option', word: expect.objectContaining({ value }) })),
    );
  });

  test('a cluster with an unknown letter gives none of its options', () => {
    expect(parseArguments(getopt, words('-rzf')).options).toEqual([]);
  });
});

describe('words that are not known before the command runs', () => {
  test.each<readonly [string, readonly string[]]>([
    ['$x', ['$x']],
    ['"$x"', ['"$x"']],
    ['a $x', ['$x']],
    ['*', ['*']],
    ['-*', ['-*']],
    ['-o $x', ['$x']],
    ['-o *.c', ['*.c']],
    ['-o "$@"', ['"$@"']],
    ['--output "${a[@]}"', ['"${a[@]}"']],
    ['-- $x', []],
    ['-- *', []],
    ['src/*.ts', []],
    ['-o "$x"', []],
    ['"src/$x"', []],
    ['--output="$x"', []],
    ['"--output=$x"', []],
    ['--output=$x', ['--output=$x']],
    ['--output="$@"', ['--output="$@"']],
    ['--output="$x"$y', ['--output="$x"$y']],
    ['--recursive="$x"', ['--recursive="$x"']],
    ['--outpu="$x"', ['--outpu="$x"']],
    ['--exec="$x"', ['--exec="$x"']],
    ['"-$x"', ['"-$x"']],
    ['src/$x', ['src/$x']],
    ['~', []],
    ['~/-rf', []],
  ])('%s', (line, unknown) => {
    const parsed = parseArguments(getopt, words(line));
    expect(parsed.unknown).toEqual(
      unknown.map((text) => ({ kind: 'dynamic-word', word: expect.objectContaining({ text }) })),
    );
  });

  test('a quoted value behind the name of an option is its value', () => {
    expect(shownOptions(parseArguments(getopt, words('--output="$x" "--output=a $x"')))).toEqual([
      '--output="$x"',
      '--output="a $x"',
    ]);
  });

  test('they are operands as well: a place behind them is not another one', () => {
    expect(shownOperands(parseArguments(getopt, words('$x a')).operands)).toEqual(['$x', 'a']);
  });
});

describe('getopt-posix', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['-r a -f', ['-r'], ['a', '-f']],
    ['-- a -f', [], ['a', '-f']],
    ['-o x -- -a', ['-o=x'], ['-a']],
    ['a -- b', [], ['a', '--', 'b']],
    ['a $x *', [], ['a', '$x', '*']],
  ])('%s', (line, options, operands) => {
    const parsed = parseArguments(posix, words(line));
    expect(shownOptions(parsed)).toEqual(options);
    expect(shownOperands(parsed.operands)).toEqual(operands);
    expect(parsed.unknown).toEqual([]);
  });

  test('subcommands end the options of the tool', () => {
    const parsed = parseArguments({ ...getopt, subcommands: [] }, words('-r sub -f'));
    expect(shownOptions(parsed)).toEqual(['-r']);
    expect(shownOperands(parsed.operands)).toEqual(['sub', '-f']);
  });
});

describe('long', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['-name a b', ['-name=a'], ['b']],
    ['--name a', ['--name=a'], []],
    ['-name=a', ['-name=a'], []],
    ['-v -verbose --verbose', ['-v', '-verbose', '--verbose'], []],
    ['-Dkey=value a', ['-D=key=value'], ['a']],
    ['-colour a', ['-colour'], ['a']],
    ['-colour=never a', ['-colour=never'], ['a']],
    ['-- -v', [], ['-v']],
  ])('%s', (line, options, operands) => {
    const parsed = parseArguments(long, words(line));
    expect(shownOptions(parsed)).toEqual(options);
    expect(shownOperands(parsed.operands)).toEqual(operands);
    expect(parsed.unknown).toEqual([]);
  });

  test.each(['-vv', '-verb', '-n', '-v=1', '---v'])('%s is not understood', (line) => {
    expect(parseArguments(long, words(line)).unknown).toHaveLength(1);
  });
});

test('long-posix: the first operand ends the options', () => {
  const parsed = parseArguments({ ...long, grammar: 'long-posix' }, words('-name x a -v'));
  expect(shownOptions(parsed)).toEqual(['-name=x']);
  expect(shownOperands(parsed.operands)).toEqual(['a', '-v']);
});

test('words: nothing is an option', () => {
  const parsed = parseArguments({ ...getopt, grammar: 'words' }, words('-r -- $x'));
  expect(shownOperands(parsed.operands)).toEqual(['-r', '--', '$x']);
  expect(parsed.unknown).toEqual([]);
});

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['+e -e a', ['+e', '-e'], ['a']],
  ['+ a', [], ['+', 'a']],
])('a plus leads options where the specification has such: %s', (line, options, operands) => {
  const parsed = parseArguments(plus, words(line));
  expect(shownOptions(parsed)).toEqual(options);
  expect(shownOperands(parsed.operands)).toEqual(operands);
});

test('without such options a plus is an operand', () => {
  expect(shownOperands(parseArguments(getopt, words('+e')).operands)).toEqual(['+e']);
});

function shownOperands(operands: readonly Word[]): readonly string[] {
  return operands.map((word) => (word.kind === 'static' ? word.value : word.text));
}
