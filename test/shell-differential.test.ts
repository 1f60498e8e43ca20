/** Compares the parser with real shells: it must report every command that they run. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rounds } from '../scripts/testing/extent.ts';
import { parseScript } from '../src/shell/parse/parse-script.ts';
import { bash, compareMany, dash, missed, missedAlone, read, type Subject } from './differential/compare.ts';
import { minimise } from './differential/minimise.ts';
import { seeded } from './differential/random.ts';
import type { Observed } from './differential/run-programs.ts';

const counts = {
  bash: Number(process.env['SHELL_DIFFERENTIAL_COUNT'] ?? rounds(4000)),
  dash: Number(process.env['SHELL_DIFFERENTIAL_COUNT'] ?? rounds(1200)),
};
const hasDash = existsSync('/bin/dash');

async function expectNoMiss(count: number, subject: Subject): Promise<void> {
  const { misses, ...figures } = await compareMany(count, 1, subject);
  console.log(figures);
  const [first] = misses;
  expect(
    first === undefined
      ? ''
      : `seed ${first.seed} ran ${JSON.stringify(first.ran)}: ${await minimise(first.program, subject)}`,
  ).toBe('');
  expect(figures.commands).toBeGreaterThan(count);
  expect(figures.rejected).toBeLessThan(count * 0.5);
  expect(figures.dynamic).toBeLessThan(figures.whole * 0.05);
  // Programs for other shells have few parts that only bash reads. These are opaque there.
  expect(figures.opaque).toBeLessThan(figures.whole * (subject.language === 'bash' ? 0.1 : 0.2));
}

test(`of ${counts.bash} programs, bash runs no unreported command`, { timeout: 600_000 }, () =>
  expectNoMiss(counts.bash, bash),
);

test.skipIf(!hasDash)(`of ${counts.dash} programs, dash runs no unreported command`, { timeout: 600_000 }, () =>
  expectNoMiss(counts.dash, dash),
);

test.each([
  ['bash', bash],
  ['dash', dash],
] as const)('an unreported command of %s is a miss', async (name, subject) => {
  if (name === 'dash' && !hasDash) return;
  const [observed] = await subject.observe(['q1t a; "q2t" $(q3f)']);
  expect(observed?.ran.map((argv) => argv.join(' ')).toSorted()).toEqual(['q1t a', 'q2t', 'q3f']);
  expect(missed(parseScript('q1t a; q2t $(q3f)'), observed as Observed)).toBeUndefined();
  expect(missed(parseScript('q1t a; q2t'), observed as Observed)).toEqual(['q3f']);
  expect(missed(parseScript('q1t b; q2t $(q3f)'), observed as Observed)).toEqual(['q1t', 'a']);
  expect(missed(parseScript('q1t a; q2t $(q4f'), observed as Observed)).toBeUndefined();
});

/** Programs whose dash commands a bash reader misses: the program, and dash's additional commands. */
const misread = [
  ['echo &>null q1t', 'q1t'],
  ['a+=b q1t', 'a+=b'],
  ['10>null q1t', '10'],
  ['{fd}>null q1t', '{fd}'],
  ['((q1t))', 'q1t'],
  ['[[ -n x && q1t ]]', '[['],
  ['time q1t', 'time'],
  ['coproc q1t', 'coproc'],
  ['function x { q1t; }', undefined],
  ['b[1]=x q1t', 'b[1]=x'],
  ['exec -a q1t q2t', '-a'],
  ["echo $'\\' ; q1t #'", 'q1t'],
] as const;

test.skipIf(!hasDash).each(misread)(
  '%s is misread without a doubt as bash, and doubted as dash',
  async (program, besides) => {
    const [observed] = await dash.observe([program]);
    const asBash = missed(read(program, bash), observed as Observed);
    expect(asBash?.[0]).toBe(besides);
    expect(read(program, dash).opaque.map(({ kind }) => kind)).toEqual(['shell']);
    expect(await missedAlone(program, dash)).toBeUndefined();
  },
);

test('a program that does not end is abandoned, and later ones still run', { timeout: 60_000 }, async () => {
  const observed = await bash.observe([
    'q1t',
    'q2t; coproc { read -u 0; }; wait',
    'q3t',
    'while q4t; do :; done',
    'q5t',
  ]);
  expect(observed.map(({ rejected }) => rejected)).toEqual([false, true, false, true, false]);
  expect(observed.map(({ ran }) => ran[0])).toEqual([['q1t'], ['q2t'], ['q3t'], ['q4t'], ['q5t']]);
});

test('known words are the words that bash gives to the program', { timeout: 60_000 }, async () => {
  const pieces = [
    'a',
    'b',
    ' ',
    "'",
    '"',
    '\\',
    '~',
    '/',
    '*',
    '?',
    '[',
    ']',
    '{',
    '}',
    ',',
    '..',
    '=',
    ':',
    '#',
    '!',
    '$',
    "$'",
    '\\x41',
    '\\n',
    '\n',
    '\\\n',
    'x=',
    '~/',
    '@(',
    ')',
    '-',
    '%',
    '^',
    'é',
    "''",
    '""',
    '\\t',
    '\\101',
    '1',
  ];
  const random = seeded(7);
  const words = Array.from({ length: rounds(6000) }, () =>
    Array.from({ length: 1 + random.below(7) }, () => random.pick(pieces)).join(''),
  );
  const programs = words.map((word) => `q1t ${word}`);
  for (const subject of hasDash ? [bash, dash] : [bash]) {
    const observed = await subject.observe(programs);
    const scripts = programs.map((program) => read(program, subject));
    const known = scripts.filter(
      ({ opaque, invocations }) =>
        opaque.length === 0 && invocations.every(({ argv }) => argv.every(({ kind }) => kind === 'static')),
    );
    expect(known.length).toBeGreaterThan(words.length / 6);
    const wrong = programs.filter(
      (_, index) => missed(scripts[index] as (typeof scripts)[number], observed[index] as Observed) !== undefined,
    );
    expect(wrong).toEqual([]);
  }
});
