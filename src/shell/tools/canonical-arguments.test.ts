import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalArguments } from './canonical-arguments.ts';

const canonical = (line: string) => {
  const [program = '', ...argv] = line.split(' ').filter((word) => word !== '');
  return canonicalArguments(program, argv);
};
const firstNames = (line: string) =>
  canonical(line).options.map(({ names, value }) => (value === undefined ? names[0] : `${names[0]}=${value}`));

describe('spellings of one thing', () => {
  test.each([
    'rm -rf x',
    'rm -fr x',
    'rm -r -f x',
    'rm x -f -R',
    'rm --recursive --force x',
    '/bin/rm -r x -f',
    'rm -rR -f x',
  ])('%s', (line) => {
    expect(new Set(firstNames(line))).toEqual(new Set(['-r', '-f']));
    expect(canonical(line).operands).toEqual(['x']);
    expect(canonical(line).understood).toBe(true);
  });

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['sort -o out a', ['-o=out'], ['a']],
    ['sort --output=out a', ['-o=out'], ['a']],
    ['sort -oout a', ['-o=out'], ['a']],
    ['head -20 a', ['-#'], ['a']],
    ['rm -- -rf', [], ['-rf']],
    ['cp -t dir a', ['-t=dir'], ['a']],
    ['find . -delete -name x', ['-delete', '-name'], ['.', 'x']],
    ['fd x -x rm -f ; a', ['-x=rm -f'], ['x', 'a']],
  ])('%s', (line, options, operands) => {
    expect(firstNames(line)).toEqual(options);
    expect(canonical(line).operands).toEqual(operands);
  });

  test('a number is an option by itself', () => {
    expect(canonical('head -20 a').options[0]?.names).toEqual(['-#', '-20']);
  });
});

describe('what is not understood', () => {
  test('an abbreviation is everything that it may stand for', () => {
    const { options, understood } = canonical('rm --recurs --forc x');
    expect(options.map(({ names }) => names)).toEqual([
      ['-r', '-R', '--recursive'],
      ['-f', '--force'],
    ]);
    expect(understood).toBe(false);
  });

  test('also when it may stand for several', () => {
    expect(canonical('rm --no-pre --pr=all').options).toEqual([
      { names: ['--no-preserve-root'] },
      { names: ['--preserve-root'], value: 'all' },
    ]);
    expect(canonical('ls --si').options).toEqual([{ names: ['--si'] }]);
    expect(canonical('ls --s').options[0]?.names).toEqual(
      expect.arrayContaining(['--si', '--show-control-chars', '--size', '--sort']),
    );
  });

  test('of a cluster with an unknown letter each letter is one', () => {
    const { options, understood } = canonical('rm -r@f x');
    expect(options.flatMap(({ names }) => names)).toEqual(
      expect.arrayContaining(['-r', '--recursive', '-f', '--force', '-@']),
    );
    expect(understood).toBe(false);
  });

  test('an unknown option is itself', () => {
    expect(canonical('rm --foo=bar x')).toEqual({
      options: [{ names: ['--foo'], value: 'bar' }],
      operands: ['x'],
      understood: false,
    });
  });
});

describe('without a specification', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['nobody-knows -abc x', ['-abc', '-a', '-b', '-c'], ['x']],
    ['nobody-knows -a x', ['-a'], ['x']],
    ['nobody-knows --name=value x', ['--name=value'], ['x']],
    ['nobody-knows -x=1', ['-x=1', '-x'], []],
    ['nobody-knows a -- -b --c', [], ['a', '-b', '--c']],
    ['nobody-knows -', [], ['-']],
    ['nobody-knows', [], []],
  ])('%s', (line, options, operands) => {
    expect(firstNames(line)).toEqual(options);
    expect(canonical(line).operands).toEqual(operands);
    expect(canonical(line).understood).toBe(false);
  });
});

describe('any words', () => {
  const word = fc.string({ unit: fc.constantFrom('-', 'r', 'f', '=', 'a', '.', '1', '\u0000', ' ') });
  const program = fc.constantFrom('rm', 'ls', 'find', 'git', 'sort', 'unknown', '/bin/rm', '');

  test('give something, and nothing gets lost', () => {
    fc.assert(
      fc.property(program, fc.array(word, { maxLength: 6 }), (name, argv) => {
        const { options, operands } = canonicalArguments(name, argv);
        expect(options.length + operands.length).toBeGreaterThanOrEqual(
          argv.some((each) => each !== '--') && !argv.includes('--') ? 1 : 0,
        );
        for (const { names } of options) expect(names.length).toBeGreaterThan(0);
      }),
    );
  });

  test('behind `--` are operands', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
        expect(canonicalArguments('rm', ['--', ...argv])).toEqual({ options: [], operands: argv, understood: true });
      }),
    );
  });
});
