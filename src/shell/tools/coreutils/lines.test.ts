import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

const here = '/srv/project';
const a = { reads: [`${here}/a`] };
const ab = { reads: [`${here}/a`, `${here}/b`] };

test.each<readonly [string, ShortEffects]>([
  ['sort -k2,2n -t, -u a', a],
  ['sort a b', ab],
  ['sort -o out a', { ...a, writes: [`${here}/out`] }],
  ['sort a --output=/etc/passwd', { ...a, writes: ['/etc/passwd'] }],
  ['sort -T /var/tmp a', { ...a, writes: ['/var/tmp/**'] }],
  ['sort --random-source=s -R a', { reads: [`${here}/s`, `${here}/a`] }],
  ['sort --check=quiet a', a],
  ['uniq -c', {}],
  ['uniq a', a],
  ['uniq a b', { ...a, writes: [`${here}/b`] }],
  ['uniq - b', { writes: [`${here}/b`] }],
  ['uniq --group=append -f1 a', a],
  ['cut -d: -f1 a', a],
  ["cut -d ' ' --fields=2 a", a],
  ['tr a-z A-Z', {}],
  ['tr -d x', {}],
  ['comm -13 a b', ab],
  ['join -1 2 -t , a b', ab],
  ['paste -sd, a b', ab],
  ['tsort a', a],
  ['expand -t4 a', a],
  ['expand -4 a', a],
  ['unexpand -a a', a],
  ['fmt -w 72 a', a],
  ['fmt -72 a', a],
  ['fold -sw 80 a', a],
  ['pr -2 -t a', a],
  ['shuf -n 1 a', a],
  ['shuf -e x y', {}],
  ['shuf -i 1-5 -o -', { writes: [`${here}/-`] }],
  ['sort -o - a', { ...a, writes: [`${here}/-`] }],
  ['shuf -i 1-5 -o out', { writes: [`${here}/out`] }],
  ['split a', { ...a, writes: [`${here}/**`] }],
  ['split -l 10 a out/part-', { ...a, writes: [`${here}/out/**`] }],
  ['split -b 1M - /tmp/x', { writes: ['/tmp/**'] }],
  ['csplit a /x/', { ...a, writes: [`${here}/**`] }],
  ['csplit -f /tmp/p a 5', { ...a, writes: ['/tmp/**'] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('programs within', () => {
  test.each(['sort --compress-program=./x a', 'sort --compress-program ./x a'])('CVE-2025-66032 %s', (line) => {
    expect(shortEffects(line)).toEqual({
      ...a,
      runs: ['program ./x'],
      opaque: ['inline-code: `--compress-program` runs `./x`'],
      commands: ['./x …'],
    });
  });

  test('CVE-2025-66032 an abbreviation is not understood either', () => {
    expect(shortEffects('sort --compress-prog=./x a').opaque).toEqual([
      'unknown-option: `--compress-prog=./x` is no option of `sort` that is known',
    ]);
  });

  test('a program with words of its own is a text of the shell', () => {
    expect(shortEffects("sort --compress-program='rm -rf' a")).toMatchObject({
      opaque: ['inline-code: `--compress-program` runs `rm -rf`'],
      scripts: ['rm -rf'],
    });
  });

  test('the filter of split is a text of the shell', () => {
    expect(shortEffects("split --filter='gzip > $FILE.gz' a")).toMatchObject({ scripts: ['gzip > $FILE.gz'] });
  });
});

describe('what is not understood', () => {
  test.each<readonly [string, readonly string[]]>([
    ['sort +1 a', []],
    ['sort --files0-from=list', ['dynamic-word']],
    ['sort --paral=2 a', ['unknown-option']],
    ['uniq a b c', ['unknown-option']],
    ['uniq $x', ['dynamic-word']],
    ['uniq src/* ', []],
    ['tr a b c', ['unknown-option']],
    ['comm a b c', ['unknown-option']],
    ['split a $x', ['dynamic-word']],
    ['split a ~/x', ['dynamic-word']],
    ['csplit --prefix=p --digit 2 a 3', ['unknown-option']],
    ['shuf a b', ['unknown-option']],
  ])('%s', (line, kinds) => {
    expect(opaqueKinds(line)).toEqual(kinds);
  });

  test('a pattern may give uniq the file that it writes', () => {
    expect(shortEffects('uniq src/*')).toEqual({ reads: [`${here}/src/**`], writes: [`${here}/src/**`] });
  });
});
