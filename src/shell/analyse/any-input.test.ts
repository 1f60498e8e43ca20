import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import type { Analysis, Opacity, PathEffect, TimeSpan, Word } from '../types.ts';
import { allTools } from '../tools/tool-for.ts';
import type { ToolSpec } from '../tools/types.ts';
import { analyse } from './analyse.ts';
import { allReasons, place } from './testing/analysed.ts';
import type { ParsedCommand, Script } from '../parse/meter.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/* Input made of parts that specifications and shells interpret. Random letters would never reach most of that code. */

const levels = (spec: ToolSpec): readonly ToolSpec[] => [spec, ...(spec.subcommands ?? []).flatMap(levels)];
const all = allTools.flatMap(levels);
const names = fc.constantFrom(
  ...new Set([
    ...all.flatMap((spec) => spec.names),
    'cd',
    'eval',
    'trap',
    'source',
    '.',
    'sh',
    'bash',
    'pwsh',
    'command',
    'builtin',
  ]),
);
const options = fc.constantFrom(...new Set(all.flatMap((spec) => spec.options.flatMap((option) => option.names))));
const values = fc.constantFrom(
  'a',
  '-',
  '--',
  '',
  '/',
  '..',
  '~',
  '*',
  '{}',
  ';',
  '\\;',
  '+',
  '@x',
  'x=y',
  'HEAD',
  'user@example.com:a',
  'https://example.com/',
  '-1',
  '1',
  's/a/b/e',
  '{print > "x"}',
  "sh -c 'rm a'",
  'rm a',
  '$x',
  '$(rm a)',
  '/dev/null',
  '/dev/tcp/example.com/1',
  ':::',
  'a\0b',
  '\u{202e}',
);
const words = fc
  .tuple(
    names,
    fc.array(
      fc.oneof(
        options,
        options.map((option) => `${option}=x`),
        options.map((option) => `${option}x`),
        values,
        names,
      ),
      { maxLength: 8 },
    ),
  )
  .map(([name, rest]) => [name, ...rest]);
const joints = fc.constantFrom(
  ';',
  '&&',
  '||',
  '|',
  '|&',
  '&',
  '\n',
  '(',
  ')',
  '{ ',
  ' }',
  '$(',
  '`',
  '"',
  "'",
  '>',
  '>>',
  '<',
  '<<<',
  '<<E\n',
  '\nE\n',
  '2>&1',
  'if ',
  ' then ',
  ' fi',
  ' do ',
  ' done',
  'for i in ',
  'while ',
  'case a in a) ',
  ' ;; esac',
  'f() ',
  '!',
  'time ',
  '<(',
  '((',
  '))',
  '[[ ',
  ' ]]',
  'a=',
  '\\',
  '#',
  ' ',
);
const texts = fc
  .array(
    fc.oneof(
      words.map((argv) => argv.join(' ')),
      joints,
      values,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** Work that one analysis may cost. Its budget is about 100. */
const limit = 1000;

describe('whatever it is', () => {
  test('words of every tool are one command, and those that it runs', () => {
    fc.assert(
      fc.property(words, (argv) => {
        const analysis = atMost(limit, () => analyse({ kind: 'argv', argv }, place));
        expectWellFormed(analysis, argv.join(' ').length);
        expect(analysis.invocations[0]?.argv.map((word) => (word.kind === 'static' ? word.value : undefined))).toEqual(
          argv,
        );
        expect(
          analysis.invocations
            .slice(1)
            .filter(
              ({ parent, argv: own, assignments, redirects }) =>
                parent === undefined || own.length + assignments.length + redirects.length === 0,
            ),
        ).toEqual([]);
      }),
      { numRuns: rounds(1500) },
    );
  });

  test('texts of every tool and every sign are read, or are said not to be', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('bash', 'sh'), (text, shell) =>
        expectWellFormed(
          atMost(limit, () => analyse({ kind: 'script', text, shell }, place)),
          text.length,
        ),
      ),
      { numRuns: rounds(1500) },
    );
  });

  test('a text and its words are told the same, where the words need no quotes', () => {
    const bare = words.filter(
      (argv) =>
        argv.every((word) => /^[\w./=:@,-]+$/u.test(word)) &&
        /^[a-z]/u.test(argv[0] ?? '') &&
        !/^(?:time|if|then|else|elif|fi|do|done|case|esac|while|until|for|in|select|function|coproc)$/u.test(
          argv[0] ?? '',
        ) &&
        !(argv[0] ?? '').includes('='),
    );
    fc.assert(
      fc.property(bare, (argv) => {
        const spoken = analyse({ kind: 'script', text: argv.join(' '), shell: 'bash' }, place);
        const given = analyse({ kind: 'argv', argv }, place);
        expect(spoken.invocations.map(({ tool, effects }) => ({ tool, effects }))).toEqual(
          given.invocations.map(({ tool, effects }) => ({ tool, effects })),
        );
      }),
      { numRuns: rounds(1500) },
    );
  });

  // `cd` and `alias` change the shell itself. Within a wrapper they are programs that do not exist, and change nothing.
  test('a command tells no less within a wrapper, a shell or a substitution', () => {
    const around: readonly (readonly [string, string])[] = [
      ['nice ', ''],
      ['env a=b ', ''],
      ['timeout 5 ', ''],
      ['( ', ' )'],
      ['{ ', '; }'],
      ['true && ', ''],
      ['if true; then ', '; fi'],
      ['echo $( ', ' )'],
      ["sh -c '", "'"],
      ["eval '", "'"],
      ['! ', ''],
      ['ls | ', ''],
    ];
    const bare = words.filter(
      (argv) =>
        argv.length > 1 &&
        argv.every((word) => /^[\w./=:@,-]+$/u.test(word)) &&
        !/^(?:time|if|then|else|elif|fi|do|done|case|esac|while|until|for|in|select|function|coproc|cd|pushd|popd|alias)$/u.test(
          argv[0] ?? '',
        ) &&
        !(argv[0] ?? '').includes('='),
    );
    fc.assert(
      fc.property(bare, fc.constantFrom(...around), (argv, [before, after]) => {
        const plain = analyse({ kind: 'script', text: argv.join(' '), shell: 'bash' }, place);
        const inside = analyse({ kind: 'script', text: `${before}${argv.join(' ')}${after}`, shell: 'bash' }, place);
        const writesOf = ({ invocations }: Analysis): readonly PathEffect[] =>
          invocations.flatMap(({ effects }) => effects.writes);
        if (allReasons(inside).length === 0) expect(allReasons(plain)).toEqual([]);
        // If the directory within is unknown, an effect without a path covers every path.
        const untold = writesOf(plain).filter(
          ({ use, path }) =>
            !writesOf(inside).some((other) => other.use === use && (other.path === path || other.path === undefined)),
        );
        expect(untold).toEqual([]);
      }),
      { numRuns: rounds(1500) },
    );
  });
});

describe('as many as nobody writes', () => {
  const count = 100_000;
  const command = (index: number): ParsedCommand => ({
    id: index,
    parent: undefined,
    relation: 'script',
    argv: [],
    assignments: [],
    redirects: [],
    stdin: { kind: 'inherited' },
    runs: 'always',
    span: { start: 0, end: 0 },
    shell: 0,
    after: 'any',
    place: 'list',
  });
  const script = (parts: Partial<Script>): Script => ({
    invocations: [],
    defined: new Set(),
    opaque: [],
    shells: [undefined],
    ...parts,
  });

  test('reasons of a script overflow no stack', () => {
    const opaque = Array.from(
      { length: count },
      (_, start): Opacity => ({ kind: 'shell', message: 'x', span: { start, end: start } }),
    );
    expect(analyse({ kind: 'parsed', script: script({ opaque }) }, place).opaque.length).toBe(count);
  });

  test('commands of a script end at the budget', () => {
    const { opaque, invocations } = analyse(
      { kind: 'parsed', script: script({ invocations: Array.from({ length: count }, (_, index) => command(index)) }) },
      place,
    );
    expect(opaque).toEqual([expect.objectContaining({ kind: 'budget' })]);
    expect(invocations.length).toBeLessThan(count);
  });

  test('as many words as are looked at are not too many', () => {
    const told = (words: number): boolean =>
      allReasons(analyse({ kind: 'argv', argv: ['rm', ...Array<string>(words - 1).fill('a')] }, place)).some(
        ({ message }) => message.includes('16384 words'),
      );
    expect([told(16_384), told(16_385)]).toEqual([false, true]);
  });

  test.each(['', '-', '--', '-rf', 'a', '{}', ';', '-exec', '-o', '--frobnicate'])('words %j', (word) => {
    for (const name of ['rm', 'find', 'xargs', 'git', 'tar', 'env', 'bash', 'sed', 'docker', 'curl', 'export']) {
      const analysis = analyse({ kind: 'argv', argv: [name, ...Array<string>(count).fill(word)] }, place);
      expect(allReasons(analysis)).toContainEqual(expect.objectContaining({ kind: 'budget' }));
    }
  });
});

/**
 * Numbers are positions, parents come before their children, paths are absolute and normal, reasons have words, and
 * spans are within the text.
 */
function expectWellFormed({ invocations, opaque }: Analysis, length: number): void {
  const spans: TimeSpan[] = opaque.map(({ span }) => span);
  for (const [index, { id, parent, stdin, cwd, argv, redirects, span, effects }] of invocations.entries()) {
    expect(id).toBe(index);
    if (parent !== undefined) expect(parent).toBeLessThan(index);
    if (stdin.kind === 'pipe' && stdin.from !== undefined) expect(stdin.from).toBeLessThan(invocations.length);
    expect(cwd === 'unknown' || cwd.startsWith('/')).toBe(true);
    for (const { path } of [...effects.reads, ...effects.writes])
      expect(path === undefined || (path.startsWith('/') && !/\/(?:\.\.?)?(?:\/|$)/u.test(path.slice(1)))).toBe(true);
    for (const word of [...argv, ...redirects.map(({ target }) => target)] satisfies readonly Word[])
      spans.push(word.span);
    for (const { message, span: at } of effects.opaque) {
      expect(message).not.toBe('');
      spans.push(at);
    }
    spans.push(span);
  }
  expect(spans.filter(({ start, end }) => !(start >= 0 && start <= end && end <= length))).toEqual([]);
}
