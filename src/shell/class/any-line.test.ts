import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import { analyse } from '../analyse/analyse.ts';
import { hostileTexts } from '../analyse/testing/hostile-texts.ts';
import { realLine } from '../analyse/testing/real-lines.ts';
import { canTrace, runLine } from '../analyse/testing/run-line.ts';
import { corpusLines, outcomes } from '../corpus/testing/corpus-lines.ts';
import { toolFor } from '../tools/tool-for.ts';
import type { Analysis } from '../types.ts';
import { classOf, type LineClass } from './class-of.ts';
import { commandClasses } from './command-class.ts';
import { foundClass, labelledLines } from './testing/labelled-lines.ts';

const place = { cwd: '/srv/project', workspace: '/srv/project', home: '/home/dev' } as const;
const read = (analysis: Analysis): LineClass => classOf(analysis, place);

const lines = [...outcomes.flatMap(corpusLines).map(([, line]) => line), ...Object.values(labelledLines).flat()];
const someLine = fc.oneof(
  fc.constantFrom(...lines),
  realLine,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 60 }),
);
const joint = fc.constantFrom(
  ' ; ',
  ' && ',
  ' || ',
  ' | ',
  '\n',
  ' & ',
  ' $( ',
  ' ) ',
  "'",
  '"',
  '`',
  ' > ',
  ' { ',
  ' } ',
);
/** Lines put together, and broken where no person would break them. */
const anyLine = fc
  .array(fc.tuple(someLine, joint), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([line, between], place) => (place === parts.length - 1 ? line : line + between)).join(''));

test('any line has a class, and one that is stronger than reading says why', () => {
  fc.assert(
    fc.property(anyLine, (line) => {
      const { kind, because, reasons } = read(analyse({ kind: 'script', text: line, shell: 'bash' }, place));
      expect(commandClasses).toContain(kind);
      expect(because === undefined).toBe(kind === 'reads');
      expect(reasons.every((reason) => reason.why !== '')).toBe(true);
    }),
    { numRuns: rounds(3000) },
  );
});

test.each(hostileTexts.filter(({ isDeep }) => isDeep))('$name: nobody knows', ({ text }) => {
  expect(foundClass(text)).toBe('anything');
});

/** Where the line can be read to its end, a program that nobody knows or a file that is written is more than reading. */
test('no line with an unknown program, or with a redirect that writes, only reads', () => {
  const unknown = fc.stringMatching(/^[a-z]{3,9}$/u).filter((name) => toolFor(name) === undefined);
  const written = fc.constantFrom(
    '> out',
    '>> out',
    '>| out',
    '<> out',
    '&> out',
    '2> out',
    '1>out',
    '> "out"',
    '> $X',
  );
  const added = fc.oneof(
    unknown.map((name) => name),
    written.map((redirect) => `ls ${redirect}`),
  );
  const around = fc.constantFrom(
    '%',
    'ls; %',
    'ls && %',
    'ls | %',
    '% | cat',
    '$(%)',
    'echo $(%)',
    '(%)',
    'if ls; then %; fi',
    'f() { %; }; f',
    'env %',
    'nice %',
    'timeout 5 %',
    '! %',
    'for i in a; do %; done',
    'cat <(%)',
    'true || %',
    '{ %; }',
    'time %',
    'case x in *) %;; esac',
    'while true; do %; done',
    "sh -c '%'",
    "eval '%'",
    'x=$(%)',
    "trap '%' EXIT",
    'coproc %',
    '% &',
  );
  fc.assert(
    fc.property(fc.constantFrom(...labelledLines.reads), added, around, (line, part, form) => {
      expect(foundClass(form.replace('%', () => part))).not.toBe('reads');
      // A line may end with a comment.
      expect(foundClass(`${line}\n${part}`)).not.toBe('reads');
      expect(foundClass(`${part}; ${line}`)).not.toBe('reads');
    }),
    { numRuns: rounds(1500) },
  );
});

/** Each line takes some 50 ms. More lines: HOLDFAST_LINE_RUNS=5000. */
const runs = Number(process.env['HOLDFAST_LINE_RUNS'] ?? 60);

test.runIf(canTrace)(
  'bash changes nothing where a line only reads',
  () => {
    let compared = 0;
    fc.assert(
      fc.property(realLine, (line) => {
        runLine(line, {
          isWanted: ({ cwd, home }) =>
            classOf(analyse({ kind: 'script', text: line, shell: 'bash' }, { cwd, home }), { workspace: cwd, home })
              .kind === 'reads',
          compare: (_, { changed }) => {
            compared += 1;
            if (changed.length > 0) throw new Error(`${line}\n  changed ${changed.join(', ')}`);
          },
        });
      }),
      { numRuns: runs },
    );
    expect(compared).toBeGreaterThan(0);
  },
  60_000 + runs * 1000,
);
