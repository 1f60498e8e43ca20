import { describe, expect, test } from 'vitest';
import { startedWords } from './held-execution.ts';

const script = (path: string, argument?: string) => ({
  interpreter: { path, ...(argument === undefined ? {} : { argument }) },
});
const program = { interpreter: undefined };

describe('the words of a started program', () => {
  test.each<[string, Parameters<typeof startedWords>, readonly string[]]>([
    ['its own', ['/bin/echo', ['echo', 'a'], [program]], ['echo', 'a']],
    ['an empty word in place of none', ['/bin/echo', [], [program]], ['']],
    ['an interpreter before the script', ['./a', ['a', 'x'], [script('/bin/sh'), program]], ['/bin/sh', './a', 'x']],
    [
      'with its argument',
      ['./a', ['a'], [script('/usr/bin/env', 'python3 -u'), program]],
      ['/usr/bin/env', 'python3 -u', './a'],
    ],
    [
      'a script with a script as its interpreter',
      ['./c', ['c', 'z'], [script('./b', 'q'), script('/bin/sh', '-e'), program]],
      ['/bin/sh', '-e', './b', 'q', './c', 'z'],
    ],
  ])('%s', (_, given, words) => {
    expect(startedWords(...given)).toEqual(words);
  });
});
