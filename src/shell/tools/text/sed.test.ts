import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';
import { readSedScript } from './sed.ts';

const here = '/srv/project';
const a = { reads: [`${here}/a`] };

describe('scripts that change lines only', () => {
  test.each([
    '',
    'p',
    's/a/b/',
    's/a/b/g;s/c/d/2',
    's|/a|/b|gI',
    's,a\\,b,c,',
    '1,3p',
    '$d',
    '5q',
    '5 q 1',
    '/x/d',
    '/x/,/y/p',
    '/x/I,+3p',
    '0~2p',
    '1!G;h;$!d',
    'y/abc/xyz/',
    'n;d',
    '/^$/d',
    's/[^,]*,//',
    's/[]x]/y/',
    's/[^]]*/y/',
    's/[[:space:]]*$//',
    ':a;N;$!ba;s/\\n/ /g',
    '/x/{s/a/b/;p}',
    '\\,x,d',
    'a text',
    'i\\\ntext',
    '2c\\\none\\\ntwo',
    '$!N;P;D',
    '# a comment; e id',
    's/a/b/ # c',
    'l 5',
    '=',
    'F',
    'z',
    'T',
    't end;:end',
    's/a/\\\n/g',
    's/a/&\\t/p',
    'N\nP\nD',
    's/x/[\\/]/',
    '10,20!s/a/b/',
    '/a/ !d',
    's/a/b/w/dev/stdout',
    'x ; p ; x',
  ])('%j', (script) => {
    expect(readSedScript(script)).toEqual([]);
  });
});

describe('scripts that do more', () => {
  test.each<readonly [string, readonly unknown[]]>([
    ['e id', [{ kind: 'runs', text: 'id' }]],
    ['1e', [{ kind: 'runs', text: '' }]],
    ['p;e id', [{ kind: 'runs', text: 'id' }]],
    [':x;e id', [{ kind: 'runs', text: 'id' }]],
    ['s/a/id/e', [{ kind: 'runs', text: 'the result of a substitution' }]],
    ['s/a/b/ge', [{ kind: 'runs', text: 'the result of a substitution' }]],
    ['s/a/b/w /tmp/x', [{ kind: 'writes', path: '/tmp/x' }]],
    ['s/a/b/gw/tmp/x', [{ kind: 'writes', path: '/tmp/x' }]],
    ['w out', [{ kind: 'writes', path: 'out' }]],
    ['W out', [{ kind: 'writes', path: 'out' }]],
    ['/x/w out;e id', [{ kind: 'writes', path: 'out;e id' }]],
    ['r /etc/passwd', [{ kind: 'reads', path: '/etc/passwd' }]],
    ['R /etc/passwd', [{ kind: 'reads', path: '/etc/passwd' }]],
    ['{w out\np}', [{ kind: 'writes', path: 'out' }]],
    ['a text\ne id', [{ kind: 'runs', text: 'id' }]],
    ['a text\\\ne id', []],
    ['# x\ne id', [{ kind: 'runs', text: 'id' }]],
  ])('%j', (script, found) => {
    expect(readSedScript(script)).toEqual(found);
  });
});

describe('scripts that versions of sed may read differently are not understood', () => {
  test.each([
    's/[/]/x/',
    's/[\\/]e id/x/',
    's/a',
    's/a/b',
    's/a\n/b/',
    's/a/b/q',
    'k',
    'v 4.2',
    'a\\ \ntext',
    'bx}e id',
    's/a/b/;;;u',
    'y/a',
    '/x',
    '\\',
    'w',
    'r ',
    's\na\nb\n',
    's\\a\\b\\',
    'b x{',
    's/a/b/ p',
  ])('%j', (script) => {
    expect(readSedScript(script).at(-1)).toEqual(expect.objectContaining({ kind: 'unclear' }));
  });
});

test.each<readonly [string, ShortEffects]>([
  ['sed -n 1,5p a', a],
  ['sed s/a/b/ a', a],
  ['sed -e s/a/b/ -e s/c/d/ a', a],
  ['sed -E --expression=s/a/b/ a', a],
  ['sed -i s/a/b/ a', { ...a, writes: [`${here}/a`] }],
  ['sed -i.bak s/a/b/ a', { ...a, writes: [`${here}/a`, `${here}/a.bak`] }],
  ['sed --in-place=.bak -e p a', { ...a, writes: [`${here}/a`, `${here}/a.bak`] }],
  ["sed 'w /etc/cron.d/x' a", { ...a, writes: ['/etc/cron.d/x'] }],
  ["sed -e 'r /etc/passwd' a", { reads: [`${here}/a`, '/etc/passwd'] }],
  ["sed 's/x/y/w out' a", { ...a, writes: [`${here}/out`] }],
  ["sed -e 'a\\' -e 'e id' a", a],
  [
    "sed '1e id' a",
    {
      ...a,
      runs: ['inline-code id'],
      opaque: ['inline-code: the script of `sed` runs a command: `id`'],
      scripts: ['id'],
    },
  ],
  [
    'sed -f script a',
    {
      reads: [`${here}/script`, `${here}/a`],
      runs: ['repository-code script'],
      opaque: ['repository-code: `-f` runs the file `script`'],
    },
  ],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('CVE-2025-64755 and CVE-2025-66032', () => {
  test.each<readonly [string, string]>([
    ["sed 's/x/y/w /home/dev/.bashrc'", '/home/dev/.bashrc'],
    ["sed -n 'w /home/dev/.zshenv'", '/home/dev/.zshenv'],
    ["sed '/x/w/etc/profile' a", '/etc/profile'],
  ])('%s writes', (line, path) => {
    expect(shortEffects(line).writes).toEqual([path]);
  });

  test.each(["sed 's/x/id/e'", "sed '1e id'", 'sed e', "sed -e p -e 'e id'", "sed -n '$e id'", "sed '1!{e id'"])(
    '%s runs code',
    (line) => {
      expect(opaqueKinds(line)).toEqual(['inline-code']);
    },
  );
});

test.each<readonly [string, readonly string[]]>([
  ['sed --express=p a', ['unknown-option']],
  ['sed -i*/x p a', ['dynamic-word', 'inline-code']],
  ["sed '-i*/x' p a", ['unknown-option']],
  ["sed '-i/tmp/*' p a", ['unknown-option']],
  ['sed "$x" a', ['dynamic-word', 'inline-code']],
  ['sed -e "$x" a', ['inline-code']],
  ['sed "s/a/$x/" a', ['inline-code']],
  ['sed p $x', ['dynamic-word']],
])('%s is asked about', (line, kinds) => {
  expect(opaqueKinds(line)).toEqual(kinds);
});
