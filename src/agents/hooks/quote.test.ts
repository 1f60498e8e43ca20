import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxed, shellQuote, unboxed } from './quote.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const word = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom("'", '\\', '"', '$', '`', '!', '\n', '\r', '\t', ' ', '*', '~', '#', '\x1b', '{', ';', '&', '-'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 40,
  })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));

/** Returns the words that a shell reads, with one start of the shell for many words. */
function readBack(shell: string, words: readonly string[]): readonly string[] {
  const script = words.map((each) => `printf '%s\\0' ${shellQuote(each)}`).join('\n');
  const { stdout, status } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
  expect(status).toBe(0);
  return stdout.split('\0').slice(0, -1);
}

describe.each(['bash', 'sh'])('%s reads back', (shell) => {
  test('every word that was quoted, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 20, maxLength: 60 }),
        (words) => void expect(readBack(shell, words)).toEqual(words),
      ),
      { numRuns: rounds(40) },
    );
  });
});

describe('the command that runs a script in the box', () => {
  const words = ['/opt/node', "/opt/it's/holdfast.cjs", 'run', '--workspace', '/w s', '--'];

  test('is read by bash as these words and the script', () => {
    fc.assert(
      fc.property(word, (script) => {
        const { stdout } = spawnSync('bash', ['-c', `set -- ${boxed(words, script)}; printf '%s\\0' "$@"`], {
          encoding: 'utf8',
          env: { LC_ALL: 'C.UTF-8' },
        });
        expect(stdout.split('\0').slice(0, -1)).toEqual([...words, 'bash', '-c', script]);
      }),
      { numRuns: rounds(40) },
    );
  });

  test('is known again, and nothing else is', () => {
    fc.assert(fc.property(word, (script) => void expect(unboxed(words, boxed(words, script))).toBe(script)));
    for (const other of [
      'ls',
      `${boxed(words, 'ls')}; rm -rf ~`,
      `${boxed(words, 'ls')} 'x'`,
      `${boxed(words, 'ls')}' '`,
      boxed([...words.slice(0, -1), '--write', '/', '--'], 'ls'),
      `${boxed(words, 'ls')}'$(id)'`,
    ])
      expect(unboxed(words, other)).toBeUndefined();
  });
});
