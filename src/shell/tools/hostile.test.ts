import { expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { canonicalArguments } from './canonical-arguments.ts';
import { effectsOf } from './effects-of.ts';
import { toolFor } from './tool-for.ts';
import { staticWord } from './words.ts';

const many = (word: string, count = 100_000): readonly string[] => Array.from({ length: count }, () => word);
const long = (part: string, count = 100_000): string => part.repeat(count);

/** Units of work. Aim: 100. */
const limit = 800;

const hostile: readonly (readonly [string, readonly string[]])[] = [
  ['rm', many('-rf')],
  ['rm', many('a')],
  ['rm', [`-${long('r')}`]],
  ['rm', [`--${long('r')}`]],
  ['head', [`-${long('1')}`]],
  ['cp', many('a')],
  ['find', many('-delete')],
  ['find', [...many('a', 2000), ...many('-delete', 2000)]],
  ['find', [...many('a', 2000), '-exec', 'x', ...many('{}', 2000), ';']],
  ['find', [...many('a', 31), ...Array.from({ length: 1000 }, () => ['-exec', '{}', ';']).flat()]],
  ['sed', [`s/${long('[')}`]],
  ['sed', [long('{')]],
  ['sed', [long('a\\\n', 2700)]],
  ['sed', [long('s/a/b/;', 1100)]],
  ['awk', [long('{')]],
  ['awk', [long('/', 8000)]],
  ['awk', [`"${long('\\"', 4000)}`]],
  ['awk', [long('(/', 4000)]],
  ['cat', [long('../')]],
  ['curl', [long('x')]],
  ['scp', [long(':'), long('a@')]],
  ['ping', [long('a:'), long('a.'), `${long('a@')}b`]],
  ['dig', [`+${long('a=')}`, long('@')]],
  ['jq', many('--arg')],
  ['jq', many('-f')],
  ['export', [long('a'), `${long('a[')}=`]],
  ['let', [long('(')]],
  ['kill', many('-x')],
  ['git', many('-C')],
  ['git', ['remote', ...many('add')]],
  ['mv', many('-t')],
];

test.each(hostile.map(([name, argv], place) => [place, name, argv] as const))('%i: %s', (_place, name, argv) => {
  const spec = toolFor(name);
  if (spec === undefined) throw new Error(`nothing is known of ${name}`);
  atMost(limit, () =>
    effectsOf(
      spec,
      argv.map((word) => staticWord(word)),
      { cwd: '/srv/project', home: '/home/dev' },
    ),
  );
  atMost(limit, () => canonicalArguments(name, argv));
});

test('words that are not read are said to be so', () => {
  const spec = toolFor('rm');
  if (spec === undefined) throw new Error('nothing is known of rm');
  const { effects } = effectsOf(
    spec,
    many('a', 4097).map((word) => staticWord(word)),
    { cwd: '/', home: '/' },
  );
  expect(effects.opaque).toEqual([expect.objectContaining({ kind: 'budget' })]);
  expect(
    effectsOf(
      spec,
      many('a', 4096).map((word) => staticWord(word)),
      { cwd: '/', home: '/' },
    ).effects.opaque,
  ).toEqual([]);
});

test('a letter that stands in a long cluster is still seen by rules', () => {
  const { options, understood } = canonicalArguments('rm', [`-${long('r')}f`]);
  expect(options.some(({ names }) => names.includes('--force'))).toBe(true);
  expect(understood).toBe(false);
});

test.each([
  ['sed', `s/a/b/;${long('p;', 5000)}`],
  ['awk', `{print}${long(' ', 9000)}`],
])('a script of %s that is too long is not understood', (name, script) => {
  const spec = toolFor(name);
  if (spec === undefined) throw new Error(`nothing is known of ${name}`);
  expect(effectsOf(spec, [staticWord(script)], { cwd: '/', home: '/' }).effects.opaque).toEqual([
    expect.objectContaining({ kind: 'inline-code' }),
  ]);
});
