import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Analysis, PathEffect, Word } from '../types.ts';
import { analyse } from './analyse.ts';
import { allReasons } from './testing/analysed.ts';
import { realLine } from './testing/real-lines.ts';
import { canTrace, type Happened, type Place, runLine } from './testing/run-line.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/*
 * Compares whole command lines with bash. Everything that a line changes or opens must be among the effects, and every
 * program that it starts among the commands. Lines that are asked about are exempt.
 */

/** Each line takes about 50 ms. More lines: HOLDFAST_LINE_RUNS=5000. */
const runs = Number(process.env['HOLDFAST_LINE_RUNS'] ?? rounds(120));

test(
  'bash does nothing that the analysis of the line does not tell',
  () => {
    let compared = 0;
    let all = 0;
    fc.assert(
      fc.property(realLine, (line) => {
        compared += check(line);
        all += 1;
      }),
      { numRuns: runs, examples: [['cd a; true; find b ! -name a -exec true {} \\;\n']] },
    );
    // A check that skips everything would never fail.
    expect(compared).toBeGreaterThan(all / 5);
  },
  60_000 + runs * 1000,
);

test.each([
  ['a change', 'changed', 'touch new'],
  ['an open', 'opened', 'cat a'],
  ['a start', 'started', 'true; /bin/true'],
])('the check sees %s that is not told', (_, what, line) => {
  const silent = ({ invocations }: Analysis): Analysis => ({
    opaque: [],
    invocations:
      what === 'started'
        ? []
        : invocations.map((command) => ({ ...command, effects: { ...command.effects, reads: [], writes: [] } })),
  });
  if (what !== 'changed' && !canTrace) return;
  expect(() => check(line, silent)).toThrow(what);
});

/** 1 if the line was compared, 0 if it is asked about. */
function check(line: string, change = (analysis: Analysis): Analysis => analysis): number {
  let compared = 0;
  const told = (place: Place): Analysis => change(analyse({ kind: 'script', text: line, shell: 'bash' }, place));
  runLine(line, {
    isWanted: (place) => asksFor(told(place)) !== 'everything',
    compare: (place, happened) => {
      compared = 1;
      compareWith(told(place), line, happened);
    },
  });
  return compared;
}

/** Returns what the analysis may leave out because a person is asked: only `effects` if just words are unknown. */
function asksFor(analysis: Analysis): 'nothing' | 'effects' | 'everything' {
  // Code of the repository alone causes no question.
  const kinds = allReasons(analysis)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'repository-code');
  if (kinds.length === 0) return 'nothing';
  return analysis.opaque.length === 0 && kinds.every((kind) => kind === 'dynamic-word') ? 'effects' : 'everything';
}

function compareWith(analysis: Analysis, line: string, { changed, opened, started }: Happened): void {
  const { invocations } = analysis;
  const writes = invocations.flatMap(({ effects }) => effects.writes);
  const reads = invocations.flatMap(({ effects }) => effects.reads);
  for (const argv of started) {
    if (!invocations.some((command) => mayBe(command.argv, argv)))
      throw new Error(`${line}\n  started ${JSON.stringify(argv)}, which is not told`);
  }
  if (asksFor(analysis) !== 'nothing') return;
  // Paths are reported as written. The box decides about the targets of links.
  if (/\bln\b/u.test(line)) return;
  for (const path of changed)
    if (!covers(writes, path)) throw new Error(`${line}\n  changed ${path}, which is not told`);
  for (const path of opened)
    if (!covers([...reads, ...writes], path)) throw new Error(`${line}\n  opened ${path}, which is not told`);
}

/** A write to a directory may also create its parents (`mkdir -p`). */
function covers(effects: readonly PathEffect[], path: string): boolean {
  return effects.some(
    (effect) =>
      effect.path === path ||
      (effect.path !== undefined && effect.scope === 'tree' && `${path}/`.startsWith(`${effect.path}/`)),
  );
}

/** Whether the known words match the arguments that a program got. */
function mayBe(words: readonly Word[], argv: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return argv.length === 0;
  if (word.kind === 'static')
    return (
      argv[0] !== undefined &&
      (word.lead === 'home' ? argv[0].endsWith(word.value) : argv[0] === word.value) &&
      mayBe(rest, argv.slice(1))
    );
  for (let taken = 0; taken <= argv.length; taken++) if (mayBe(rest, argv.slice(taken))) return true;
  return false;
}
