import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

const here = '/srv/project';
const a = { reads: [`${here}/a`] };
const all = { reads: [`${here}/**`] };

test.each<readonly [string, ShortEffects]>([
  ['grep x a', a],
  ['grep -n x', {}],
  ['grep -in --color=auto x a', a],
  ['grep -e x -e y a', a],
  ['grep -f patterns a', { reads: [`${here}/patterns`, `${here}/a`] }],
  ['grep --regexp=x a', a],
  ['grep -r x src', { reads: [`${here}/src/**`] }],
  ['grep -rn x', all],
  ['grep -R -e x', all],
  ['grep -d recurse x src', { reads: [`${here}/src/**`] }],
  ['grep -A3 -B 2 -m1 x a', a],
  ['grep -5 x a', a],
  ['grep -- -x a', a],
  ['grep x -', {}],
  ['egrep x a', a],
  ['fgrep --exclude-from=skip x a', { reads: [`${here}/skip`, `${here}/a`] }],
  ['rg x', all],
  ['rg x src test', { reads: [`${here}/src/**`, `${here}/test/**`] }],
  ['rg -e x src', { reads: [`${here}/src/**`] }],
  ['rg --files', all],
  [
    'rg --files src -g *.ts',
    { reads: [`${here}/src/**`], opaque: ['dynamic-word: `*.ts` may become an option of `rg`'] },
  ],
  ["rg -tts -g '!x' -C 3 --hidden x", all],
  ['rg --type-list', {}],
  ['rg -f patterns', { reads: [`${here}/patterns`] }],
  ['ag x src', { reads: [`${here}/src/**`] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('programs that a search runs', () => {
  test.each(['rg --pre=./x y', 'rg --pre ./x y', 'rg y --pre ./x', 'rg --hostname-bin ./x y', 'ag --pager ./x y'])(
    'CVE-2025-58764 %s',
    (line) => {
      expect(shortEffects(line)).toMatchObject({
        runs: ['program ./x'],
        commands: ['./x …'],
        opaque: [expect.stringContaining('runs `./x`')],
      });
    },
  );

  test.each([
    ['rg --pre=bash y', 'inline-code'],
    ['rg -z y', 'inline-code'],
    ['rg --search-zip y', 'inline-code'],
    ['ack y', 'inline-code'],
    ['rg --pr ./x y', 'unknown-option'],
    ['rg --hostname ./x y', 'unknown-option'],
    ['ag --page ./x y', 'unknown-option'],
    ['rg --unknown y', 'unknown-option'],
    ['grep --recurs x', 'unknown-option'],
    ['grep $x a', 'dynamic-word'],
    ['grep x $y', 'dynamic-word'],
    ['rg "$x"', 'dynamic-word'],
    ['rg x *', 'dynamic-word'],
  ])('%s is asked about: %s', (line, kind) => {
    expect(opaqueKinds(line)).toContain(kind);
  });

  test('the one word of a pattern may be unknown behind `-e`', () => {
    expect(shortEffects('grep -e "$x" a')).toEqual(a);
    expect(shortEffects('grep -- "$x" a')).toEqual(a);
  });
});
