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
    '/@types/ {print}',
    '{print /x | "sh"/}',
    '{print $1 > "/dev/stderr"}',
    '{ x = $1 / 2 / 3; print x }',
    '{ print (a) / 2 / 3 }',
    'BEGIN {x = 1} /"/ {n++}',
    '$1 !~ /#/ {print}',
    '/[[:alpha:]_]+"/ {print}',
    '/[]"]/ {print}',
  ])('%j', (program) => {
    expect(whyNotTrivial(program)).toBeUndefined();
  });
});

describe('programs that read more', () => {
  test.each([
    '{ getline; print }',
    '/a/ { getline line; print line }',
    'BEGIN { while ((getline line < "f") > 0) n++; close("f"); print n }',
    'BEGIN { print ENVIRON["HOME"] }',
  ])('%j', (program) => {
    expect([whyNotTrivial(program), whyNotTrivial(program, 'reading')]).toEqual([expect.any(String), undefined]);
  });

  test.each([
    '"id" | getline',
    '{ getline x < "a" "b" }',
    '{ getline x < f }',
    '{ getline x < "/inet/tcp/0/h/80" }',
    'BEGIN { ARGV[1] = "/inet/tcp/0/h/80" }',
  ])('%j may do more', (program) => {
    expect(whyNotTrivial(program, 'reading')).toEqual(expect.any(String));
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
    '{print > "/dev/stderr" "x"}',
    // A regexp that hides a quote or a comment. Each writes or runs in GNU awk 5.2.1, most in every awk.
    '{ if (1) /"/; print "a" > "f" #"/\n}',
    '{ } /"*/ { print > "f" } #"/',
    '{ if (0) ; else /"/; print "a" > "f" #"/\n}',
    '{ if (1) /#/; print "a" | "sh"\n}',
    '{ } /#*/ { print | "sh" }',
    '{ x = /"/; print "a" > "f" #"/\n}',
    '{ x = $0 !~ /"/; print "a" > "f" #"/\n}',
    '{ print /"/; print "a" > "f" #"/\n}',
    '{ x = 3 /="/; print "a" > "f" #"/\n}',
    '{ } /[[:alpha:]/"]/ { print "a" > "f" } #"/',
    '{ } /[^]/"]/ { print "a" > "f" } #"/',
    'BEGIN { for (print "x" > "out"; 0; ) ; }',
    '/[/]/ {print}',
    '"a',
    '{print}}',
    '{print $1 / "a" | "sh" / 2}',
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
