import { describe, expect, test } from 'vitest';
import { canonicalise, subcommandSpellings } from './command-words.ts';

describe('canonicalise', () => {
  test('reads a command without its first word, by the name that is given', () => {
    expect(canonicalise('rm', ['anything', '-fr', 'x'])).toMatchObject({
      options: [
        { names: expect.arrayContaining(['-f', '--force']) },
        { names: expect.arrayContaining(['-r', '-R', '--recursive']) },
      ],
      operands: ['x'],
      understood: true,
    });
    expect(canonicalise('no-such-tool', ['rm', '-fr', 'x']).understood).toBe(false);
    expect(canonicalise('rm', [])).toEqual({ options: [], operands: [], understood: true });
  });
});

describe('subcommandSpellings', () => {
  test.each<[string, readonly string[], number]>([
    ['rm', ['x'], 0],
    ['no-such-tool', ['push'], 0],
    ['git', ['push', 'origin'], 1],
    ['git', ['origin', 'push'], 0],
    ['git', [], 0],
  ])('%s %j begins with %i', (name, operands, count) => {
    const spellings = subcommandSpellings(name, operands);
    expect(spellings).toHaveLength(count);
    for (const [index, names] of spellings.entries()) expect(names).toContain(operands[index]);
  });

  test('has every name of a subcommand', () => {
    expect(subcommandSpellings('npm', ['install'])[0]).toEqual(expect.arrayContaining(['install', 'i']));
  });
});
