import { array, assert, constantFrom, oneof, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { analyse } from './analyse.ts';
import { hostileTexts } from './testing/hostile-texts.ts';
import { analysed, analysedWords, place, reasons } from './testing/analysed.ts';
import type { Analysis } from '../types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** Units of work. The budget is about 100. */
const limit = 400;

describe('texts that are made to cost', () => {
  test.each(hostileTexts.map(({ name, text }) => [name, text]))('%s', (_, text) => {
    atMost(limit, () => analysed(text));
    // Most texts are too long to be read at all.
    atMost(limit, () => analysed(text.slice(0, 32_000)));
  });

  test('words that are made to cost', () => {
    for (const word of ['nice', 'env', 'sh', 'xargs', 'timeout', '-c', 'eval', 'find', '-exec', 'sudo']) {
      atMost(limit, () => analysedWords(...Array<string>(100_000).fill(word)));
    }
  });

  test.each(hostileTexts.filter(({ isDeep }) => isDeep).map(({ name, text }) => [name, text]))(
    '%s is not understood',
    (_, text) => {
      expect(reasons(analysed(text))).not.toEqual([]);
    },
  );
});

/** Parents come before their children, numbers are positions, and a pipe comes from a command of the list. */
function expectWellFormed({ invocations }: Analysis): void {
  for (const [index, { id, parent, stdin, cwd }] of invocations.entries()) {
    expect(id).toBe(index);
    if (parent !== undefined) expect(parent).toBeLessThan(index);
    if (stdin.kind === 'pipe' && stdin.from !== undefined) expect(stdin.from).toBeLessThan(invocations.length);
    expect(cwd === 'unknown' || cwd.startsWith('/')).toBe(true);
  }
}

const pieces = constantFrom(
  ..."rm;ls;cd a;cd;|;||;&&;&;(;);{;};$(;`;\";';$X;${;};<;>;<<E;\nE\n;<(;sh -c;eval;env;xargs;find . -exec;\\;;if;then;fi;for i in;do;done;while;case;esac;f();[[;]];((;));#;\n;*;~;A=1;PATH=.;$';\\;!;sudo -u;timeout 5;--;-rf;2>&1;/dev/tcp/h/1;\u{0};\u{202e};é".split(
    ';',
  ),
  ';',
  ' ',
);

describe('any input', () => {
  test('any text is understood or opaque, and nothing throws', () => {
    assert(
      property(
        oneof(
          string({ unit: 'binary', maxLength: 200 }),
          array(pieces, { maxLength: 40 }).map((parts) => parts.join(' ')),
          array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
        ),
        (text) => {
          for (const shell of ['bash', 'sh'] as const) expectWellFormed(analysed(text, shell));
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('any words too, and they are the first command', () => {
    assert(
      property(
        array(oneof(string({ unit: 'binary', maxLength: 20 }), pieces), { minLength: 1, maxLength: 12 }),
        (argv) => {
          const analysis = analysedWords(...argv);
          expectWellFormed(analysis);
          expect(
            analysis.invocations[0]?.argv.map((word) => (word.kind === 'static' ? word.value : undefined)),
          ).toEqual(argv);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  test('a program that nobody knows is never silent, whatever is around it', () => {
    const wrappers = constantFrom(
      'nice',
      'env A=1',
      'sudo -u x',
      'timeout 5',
      'nohup',
      'setsid',
      'command',
      'eval',
      'time',
      '!',
      'stdbuf -oL',
      'xargs',
      'exec',
      'busybox',
      'strace -f',
      'cd a &&',
      'cat a |',
      'true;',
      'a=1',
      'ls ||',
    );
    assert(
      property(
        array(wrappers, { maxLength: 6 }),
        tuple(
          constantFrom('', '(', '{ ', '$(', 'if ls; then ', "sh -c '"),
          constantFrom('qqq', 'qqq -x', '/tmp/qqq', '"qqq"', '\\qqq'),
        ),
        (around, [open, program]) => {
          const close = { '': '', '(': ')', '{ ': '; }', '$(': ')', 'if ls; then ': '; fi', "sh -c '": "'" }[open];
          const text = `${open}${around.join(' ')} ${program}${close}`;
          expect(reasons(analysed(text))).not.toEqual([]);
        },
      ),
      { numRuns: rounds(1000) },
    );
  });

  test('the same input gives the same answer', () => {
    assert(
      property(array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join(' ');
        expect(analyse({ kind: 'script', text, shell: 'bash' }, place)).toEqual(
          analyse({ kind: 'script', text, shell: 'bash' }, place),
        );
      }),
      { numRuns: rounds(300) },
    );
  });
});
