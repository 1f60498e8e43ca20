import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

describe('builtins that do nothing outside of the shell', () => {
  test.each([
    'echo $x *',
    'echo -n a',
    'echo --help',
    ': $x',
    'true a',
    'false',
    'exit 1',
    'return $x',
    'break',
    'continue 2',
    'shift',
    'umask 022',
    'ulimit -n 10',
    'times',
    'fg',
    'bg',
    'suspend',
    'logout',
    'caller',
    'help cd',
    'set -euo pipefail',
    'set +e',
    'set -- $x',
    'set -o pipefail +x',
    'cd',
    'cd src',
    'cd -',
    'cd -P /tmp',
    'pushd src',
    'pushd +1',
    'popd',
    'popd +1',
    'dirs -v',
    'pwd',
    'pwd -P',
    'shopt -s nullglob',
    'type -a ls',
    'jobs -l',
    'disown -a',
    'export A',
    'export A=b',
    'export A=$b',
    'export A="$b"',
    'export -n A',
    'export -p',
    'readonly A=1',
    'declare -A m',
    'declare -i n=1',
    'typeset -x A',
    'local a b=c',
    'local a="$1"',
    'declare a[0]=x',
    'export -- A=b',
    'read -r line',
    'read -p prompt -n 1 a b',
    'read -ra a',
    'mapfile -t lines',
    'readarray -n 5 a',
    'unset A',
    'unset -v A',
    'unset a[0]',
    'wait',
    'wait $pid'.replace('$pid', '5'),
    'getopts ab: opt',
    'let i=1',
    'let i+=2 j=i/3',
    'printf %s $x',
    'printf -v name %s a',
    "printf '%s' $x",
    'printf "x$x"',
    'printf -- $x',
    'trap -p',
    'trap -l',
    'trap - INT',
    "trap '' INT",
    'trap 2',
    'unalias a',
    'unalias -a',
    'alias',
    'alias a',
    'hash -r',
    'hash -d ls',
    'history',
    'history -c',
    'history -d 5',
    '[ a = b ]',
    '[ -n "$x" ]',
    '[ "$a" = "$b" ]',
    '[ "$x" -eq 0 ]',
    '[ -z "$x" -o a ]',
    'test -v name',
    '[ ! -v name ]',
    '[ $# -eq 0 ]'.replace('$#', '0'),
    'test "$a" != b',
  ])('%s', (line) => {
    expect(shortEffects(line)).toEqual({});
  });
});

test.each<readonly [string, ShortEffects]>([
  ['test -a x', { reads: ['/srv/project/x'] }],
  ['[ -f a ]', { reads: ['/srv/project/a'] }],
  ['test -d /etc -a -r ~/x', { reads: ['/etc', '/home/dev/x'] }],
  ["trap 'rm -rf x' EXIT", { scripts: ['rm -rf x'] }],
  ['trap cleanup EXIT INT', { scripts: ['cleanup'] }],
  ['trap "$x" EXIT', { opaque: ['dynamic-word: `"$x"` may become an option of `trap`'], scripts: ['"$x"'] }],
  ["alias ll='ls -l' rm='rm -i'", { scripts: ['ls -l', 'rm -i'] }],
  ["mapfile -C 'rm x' -c 1 a", { scripts: ['rm x'], opaque: ['inline-code: adds words to `rm x`'] }],
  ['history -r', { reads: ['/home/dev/.bash_history'] }],
  ['history -n a', { reads: ['/srv/project/a'] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('CVE-2025-66032 the history is written to a file', () => {
  test.each<readonly [string, string]>([
    ['history -a', '/home/dev/.bash_history'],
    ['history -a /home/dev/.bashrc', '/home/dev/.bashrc'],
    ['history -w ~/.zshenv', '/home/dev/.zshenv'],
    ['history -aw x', '/srv/project/x'],
  ])('%s', (line, path) => {
    expect(shortEffects(line).writes).toEqual([path]);
  });

  test.each(['history -s x', 'history -p !!', 'history -a "x/$y"'])('%s is asked about', (line) => {
    expect(opaqueKinds(line)).toHaveLength(1);
  });
});

describe('CVE-2025-54795 echo writes nothing, whatever its words are', () => {
  test.each(['echo \'\\"; rm -rf /; echo \\"\'', "echo '$(id)'"])('%s', (line) => {
    expect(shortEffects(line)).toEqual({});
  });
});

describe('subscripts run code', () => {
  test.each([
    "unset 'a[$(id)]'",
    "read -ra 'a[$(id)]'",
    "read 'a[$(id)]'",
    "printf -v 'a[$(id)]' x",
    "printf '-va[$(id)]' x",
    "test -v 'a[$(id)]'",
    "[ -v 'a[$(id)]' ]",
    "declare 'a[$(id)]=1'",
    "export 'a[`id`]'",
    "local 'a[x y]'",
    "mapfile 'a[$(id)]'",
    "let 'a[$(id)]'",
    "let 'x=a[1]'",
    "let '`id`'",
    "getopts ab 'a[$(id)]'",
    "[ -R 'a[$(id)]' ]",
    "readonly 'a[$(id)]=1'",
  ])('%s', (line) => {
    expect(opaqueKinds(line)).toEqual(['inline-code']);
  });
});

test.each<readonly [string, readonly string[]]>([
  ['set $x', ['dynamic-word']],
  ['set -Z', ['unknown-option']],
  ...[
    'set -P',
    'set -euP',
    'set -k',
    'set -o physical',
    'set -o keyword',
    'shopt -s cdable_vars',
    'shopt -s nullglob lastpipe',
    'shopt -u autocd',
  ].map((line) => [line, ['shell']] as const),
  ...[
    'set +P',
    'set +o physical',
    'set -eux -o pipefail',
    'shopt -s nullglob globstar',
    'shopt lastpipe',
    'shopt -q lastpipe',
  ].map((line) => [line, []] as const),
  ['cd $x', ['dynamic-word']],
  ['cd "$x"', ['dynamic-word']],
  ['cd "src/$x"', ['dynamic-word']],
  ['cd a b', ['unknown-option']],
  ['pushd $x', ['dynamic-word']],
  ['export $x', ['dynamic-word']],
  ['export -z A', ['unknown-option']],
  ['declare "$x"', ['dynamic-word']],
  ['local $x=1', ['dynamic-word']],
  ['unset $x', ['dynamic-word']],
  ['unset -- $x', ['dynamic-word']],
  ['read $x', ['dynamic-word']],
  ['read -z a', ['unknown-option']],
  ['printf $x', ['dynamic-word']],
  ['printf "$x"', ['dynamic-word']],
  ['printf -v "$x" a', ['dynamic-word']],
  ['let $x', ['inline-code']],
  ['test $x', ['dynamic-word']],
  ['[ $x = a ]', ['dynamic-word']],
  ['[ -v "$x" ]', ['dynamic-word']],
  ['[ "$a" "$b" ]', ['dynamic-word']],
  ['[ "$a" \'b[$(id)]\' ]', ['dynamic-word']],
  ['hash -p ./x ls', ['dynamic-program', 'inline-code']],
  ['hash -p /tmp/x ls', ['dynamic-program', 'inline-code']],
  ['alias $x', ['inline-code']],
  ['type --all ls', ['unknown-option']],
  ['jobs -x ls', ['unknown-option']],
  ['shopt -z a', ['unknown-option']],
  ['mapfile -X a', ['unknown-option']],
  ['trap -z x', ['unknown-option']],
])('%s is asked about', (line, kinds) => {
  expect(opaqueKinds(line)).toEqual(expect.arrayContaining([...kinds]));
});
