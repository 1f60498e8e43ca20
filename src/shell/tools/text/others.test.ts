import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

const here = '/srv/project';
const a = { reads: [`${here}/a`] };
const trees = { reads: [`${here}/a/**`, `${here}/b/**`] };
const ab = { reads: [`${here}/a`, `${here}/b`] };

test.each<readonly [string, ShortEffects]>([
  ['diff a b', trees],
  ['diff -u --color=always a b', trees],
  ['diff -U3 --label x a b', trees],
  ['diff -r a b', trees],
  ['diff --from-file=a b', trees],
  ['diff -5 -X skip a b', { reads: [`${here}/skip`, `${here}/a/**`, `${here}/b/**`] }],
  ['cmp -s a b', ab],
  ['cmp a b 10 20', ab],
  ['patch -u -p1 -i fix.diff', { reads: [`${here}/fix.diff`, `${here}/**`], writes: [`${here}/**`] }],
  ['patch -n --dry-run a b', { reads: [`${here}/b`, `${here}/**`, `${here}/**`], writes: [`${here}/a`] }],
  ['patch -u /etc/x p', { reads: [`${here}/p`, `${here}/**`, '/etc/**'], writes: ['/etc/x', `${here}/**`, '/etc/**'] }],
  ['patch -u -d /etc', { reads: ['/etc/**'], writes: ['/etc/**'] }],
  ['xxd a', a],
  ['xxd -r a b', { ...a, writes: [`${here}/b`] }],
  ['xxd -ps -c 16 a', a],
  ['xxd a -a', { ...a, writes: [`${here}/-a`] }],
  ['hexdump -C -n 16 a', a],
  ['hd a', a],
  ['hexyl -n 64 --color never a', a],
  ['strings -n 8 a', a],
  ['file -b --mime-type a', a],
  ['column -t -s , a', a],
  ['rev a', a],
  ['man ls', {}],
  ['man -k copy', {}],
  ['man ./a.1', { reads: [`${here}/a.1`] }],
  ['clear', {}],
  ['tput setaf 1', {}],
  ['jq . a', a],
  ['jq .', {}],
  ['jq -r .name a b', ab],
  ['jq -nr --arg x y $x', { opaque: ['dynamic-word: `$x` is no option of `jq` that is known'] }],
  ["jq -n --arg x y '$x'", {}],
  ['jq --argjson x 1 .x a', a],
  ['jq --slurpfile x a .x b', ab],
  ['jq --rawfile x /etc/passwd -n .', { reads: ['/etc/passwd'] }],
  ['jq . --args x y', {}],
  ['jq --args . x y', {}],
  ['jq . a --args x', a],
  ['jq . a --jsonargs 1', a],
  ['jq --indent 2 --tab . a', a],
  ['jq . -- a', a],
  ['jq -f filter a', { reads: [`${here}/filter`, `${here}/a`], opaque: ['repository-code: `jq -f` runs a file'] }],
  ['jq a --from-file', { ...a, opaque: ['repository-code: `jq --from-file` runs a file'] }],
  [
    'jq --args x -f filter',
    { reads: [`${here}/x`, `${here}/filter`], opaque: ['repository-code: `jq -f` runs a file'] },
  ],
  ['yq .a a', a],
  ['yq -r .a a', a],
  ['yq -i .a=1 a', { ...a, writes: [`${here}/a`] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('programs within', () => {
  test.each(['man --html=./x ls', 'man -P ./x ls', 'man --pager ./x ls', 'man -H./x ls', 'bat --pager ./x a'])(
    'CVE-2025-66032 %s',
    (line) => {
      expect(shortEffects(line)).toMatchObject({ runs: ['program ./x'], commands: ['./x …'] });
      expect(opaqueKinds(line)).toContain('inline-code');
    },
  );

  test('CVE-2025-66032 a text of the shell in place of a browser', () => {
    expect(shortEffects("man --html='touch /tmp/x' ls")).toMatchObject({
      scripts: ['touch /tmp/x'],
      opaque: ['inline-code: `--html` runs `touch /tmp/x`'],
    });
  });

  test.each<readonly [string, readonly string[]]>([
    ['man --htm=x ls', ['unknown-option']],
    ['less a', ['inline-code']],
    ['less -R a', ['inline-code']],
    ["less '+!id' a", ['inline-code']],
    ['less -o out a', ['inline-code', 'unknown-option']],
    ['more a', ['inline-code']],
    ['bat a', ['inline-code']],
    ['patch -p1', ['inline-code']],
    ['patch -e a', ['inline-code']],
    ['patch -b -u a', ['unknown-option']],
    ['diff -l a b', ['unknown-option']],
    ['diff --diff-program=x a b', ['unknown-option']],
    ['diff a b c', ['unknown-option']],
    ['cmp --byte 1 a b', ['unknown-option']],
    ['file -C a', ['unknown-option']],
    ['file -p a', ['unknown-option']],
    ['file -z a', ['unknown-option']],
    ['file -m magic a', ['unknown-option']],
    ['file -f list', ['dynamic-word']],
    ['xxd -foo a', ['unknown-option']],
    ['xxd a b c', ['unknown-option']],
    ['hexdump -q a', ['unknown-option']],
    ['hexyl -q a', ['unknown-option']],
    ['strings --target=x a', ['unknown-option']],
    ['column -Q a', ['unknown-option']],
    ['rev -x a', ['unknown-option']],
    ['tput -S', ['unknown-option']],
    ['clear -q', ['unknown-option']],
    ['jq -L lib . a', ['unknown-option']],
    ['jq --foo . a', ['unknown-option']],
    ['jq \'import "x" as y; y::z\' a', ['dynamic-word']],
    ['jq \'include "x"; z\' a', ['dynamic-word']],
    ['jq "$x" a', ['dynamic-word']],
    ['jq . $x', ['dynamic-word']],
    ['jq . "b/$x"', ['dynamic-word']],
    ['yq \'load("/etc/passwd")\' a', ['inline-code']],
    ['yq eval \'load("/etc/passwd")\' a', ['inline-code']],
    ['yq -s .a a', ['unknown-option']],
  ])('%s is asked about', (line, kinds) => {
    expect(opaqueKinds(line)).toEqual(expect.arrayContaining([...kinds]));
  });
});
