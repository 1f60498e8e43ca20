import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';
import { whyNotTrivial } from './awk.ts';

describe('programs that compute and print', () => {
  test.each([
    '',
    '{print}',
    '{print $1}',
    '{ print $1, $NF }',
    'NR==1',
    'NR>1',
    '$3 > 100',
    '$3>=100 {print $1}',
    '/re/',
    '/a|b/ {print $2}',
    '!/x/',
    '{s+=$1} END {print s}',
    '{print s/NR}',
    'BEGIN {FS=":"} {print $1}',
    '{printf "%s\\n", $1}',
    '{ if ($3 > 5) print $1 }',
    'length($0) > 80',
    '$1 ~ /x/ && $2 !~ /y/',
    '{a[$1]++} END {for (k in a) print k, a[k]}',
    '{gsub(/a/, "b"); print}',
    '{print "a|b > c"}',
    '{print "system"}'.replace('system', 'sys'),
    '# a comment | > "\n{print}',
    'NF && !seen[$0]++',
    '{print $1 "\\"" $2}',
    '{ x = $1 ? "a" : "b"; print x }',
    '{print substr($0, 1, 3)}',
    'a || b',
    '{print (a > b)}',
    '/[[:digit:]]+/',
    '{print $1/$2}',
    '/\\//',
  ])('%j', (program) => {
    expect(whyNotTrivial(program)).toBeUndefined();
  });
});

describe('programs that may do more', () => {
  test.each([
    'BEGIN {system("id")}',
    '{print | "sh"}',
    '{print > "out"}',
    '{print >> "out"}',
    '{printf "x" > "out"}',
    '"id" | getline',
    '{getline < "x"}',
    '{print |& "sh"}',
    '@load "x"',
    '@include "x"',
    'BEGIN {f="sys"; @f("id")}',
    'BEGIN {ARGV[1]="/etc/passwd"}',
    'BEGIN {print ENVIRON["X"]}',
    '{ x++ / 1; print | "sh"; y / 2 }',
    '{ (x) / 1; print | "sh" ; y / 2}',
    '{print $1 > $2}',
    '{print "x" /x/ > "y"}',
    '/[/]/ {print}',
    '"a',
    '{print}}',
    '{print $1 / "a" | "sh" / 2}',
    '{print /x | "sh"/}',
    '`id`',
    '{ close("x") }',
    '{ print "a" > "/dev/tcp/x" }',
    'a;/x"/ {print | "sh"} # "/',
    'function f() { print > "x" }',
    '\\',
  ])('%j', (program) => {
    expect(whyNotTrivial(program)).toEqual(expect.any(String));
  });
});

const a = { reads: ['/srv/project/a'] };

test.each<readonly [string, ShortEffects]>([
  ["awk '{print $1}' a", a],
  ["awk -F: '{print $1}' a", a],
  ["gawk -v x=1 'NR==x' a", a],
  ["mawk -F , '{print}'", {}],
  [
    'awk -f script a',
    {
      reads: ['/srv/project/script', '/srv/project/a'],
      runs: ['repository-code script'],
      opaque: ['repository-code: `-f` runs the file `script`'],
    },
  ],
  ["awk 'BEGIN {system(x)}' a", { ...a, opaque: ['inline-code: the program of `awk` has `system`'] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

test.each<readonly [string, readonly string[]]>([
  ['awk "$x" a', ['dynamic-word', 'inline-code']],
  ['awk $x a', ['dynamic-word', 'inline-code']],
  ["awk -i inplace '{print}' a", ['unknown-option']],
  ["awk -l filefuncs '{print}' a", ['unknown-option']],
  ["gawk --exec x '{print}' a", ['unknown-option']],
  ['awk -E x a', ['unknown-option']],
])('%s is asked about', (line, kinds) => {
  expect(opaqueKinds(line)).toEqual(expect.arrayContaining([...kinds]));
});
