import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { analyse } from '../analyse/analyse.ts';
import { shellQuoted, rewriteText, type Rewriting } from './changes.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function rewritten(text: string, changes: Readonly<Record<string, Rewriting>>): string | undefined {
  const { invocations } = analyse({ kind: 'script', text, shell: 'sh' }, { cwd: '/srv/project', home: '/home/dev' });
  return rewriteText(
    text,
    new Map(
      invocations.flatMap((invocation) => {
        const [first] = invocation.argv;
        const change = first?.kind === 'static' ? changes[first.value] : undefined;
        return change === undefined ? [] : [[invocation, change] as const];
      }),
    ),
  );
}

const other: Rewriting = { argv: ['curl', '-L', 'a b'] };

describe('rewriteText', () => {
  test.each([
    ['wget x', `curl -L 'a b'`],
    ['cd /tmp && wget x; echo done', `cd /tmp && curl -L 'a b'; echo done`],
    ['wget x > log 2>&1', `curl -L 'a b' > log 2>&1`],
    ['A=1 wget x', `A=1 curl -L 'a b'`],
    ['wget x | wget y', `curl -L 'a b' | curl -L 'a b'`],
    ['if true; then wget x; fi', `if true; then curl -L 'a b'; fi`],
    ['echo "wget x"; wget y', `echo "wget x"; curl -L 'a b'`],
    ['echo é; wget x', `echo é; curl -L 'a b'`],
  ])('%s', (text, expected) => {
    expect(rewritten(text, { wget: other })).toBe(expected);
  });

  test('puts variables in front of the words', () => {
    expect(rewritten('git push origin; ls', { git: { environment: { GIT_TERMINAL_PROMPT: '0', TEXT: "it's" } } })).toBe(
      `GIT_TERMINAL_PROMPT=0 TEXT='it'\\''s' git push origin; ls`,
    );
    expect(rewritten('wget x', { wget: { ...other, environment: { A: '1' } } })).toBe(`A=1 curl -L 'a b'`);
  });

  test.each(['env wget x', 'xargs wget', 'wget > log x', 'sh -c "wget x"'])(
    '%s has no place for other words',
    (text) => {
      expect(rewritten(text, { wget: other })).toBeUndefined();
    },
  );

  test('nothing is changed without changes', () => {
    expect(rewritten('ls  -l # x', {})).toBe('ls  -l # x');
  });
});

describe('quoted', () => {
  test.each([
    ['a', 'a'],
    ['--x=y', '--x=y'],
    ['', `''`],
    ['a b', `'a b'`],
    ['$x', `'$x'`],
    ["it's", `'it'\\''s'`],
    ['A=1', `'A=1'`],
    ['~', `'~'`],
    ['*', `'*'`],
    ['\n', `'\n'`],
  ])('%j', (word, expected) => {
    expect(shellQuoted(word)).toBe(expected);
  });

  test('is read back by a shell as it was', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter((word) => !word.includes('\0')),
          { minLength: 1, maxLength: 5 },
        ),
        (words) => {
          const printed = execFileSync('/bin/sh', [
            '-c',
            `printf '%s\\0' ${words.map(shellQuoted).join(' ')}`,
          ]).toString();
          expect(printed.split('\0').slice(0, -1)).toEqual(words.map((word) => Buffer.from(word).toString()));
        },
      ),
      { numRuns: rounds(30) },
    );
  });
});
