import { describe, expect, test } from 'vitest';
import { variablesSetIn } from './languages.ts';
import { allReasons, analysed, analysedWords, reasons, tree } from './testing/analysed.ts';

describe('each text is read in the language of its own shell', () => {
  test.each([
    ['echo &>x rm', []],
    ['bash -c "echo &>x rm"', []],
    ['sh -c "echo &>x rm"', ['shell']],
    ['dash -c "echo &>x rm"', ['shell']],
    [`bash -c 'sh -c "echo &>x rm"'`, ['shell']],
    [`bash -c 'bash -c "echo &>x rm"'`, []],
    [`sh -c 'bash -c "echo &>x rm"'`, []],
    [`sh -c 'eval "echo &>x rm"'`, ['shell']],
    [`sh -c 'command eval "echo &>x rm"'`, ['shell']],
    [`sh -c 'trap "echo &>/tmp/x rm" EXIT'`, ['shell']],
    [`sh -c 'eval "bash -c \\"echo &>x rm\\""'`, []],
    [`bash -c 'eval "echo &>x rm"'`, []],
    [`eval 'eval "echo &>x rm"'`, []],
    [`trap 'echo &>/tmp/x rm' EXIT`, []],
    ["sh <<'E'\necho &>x rm\nE\n", ['shell']],
    ["bash <<'E'\necho &>x rm\nE\n", []],
    ["find . -exec sh -c 'echo &>x rm' \\;", ['shell']],
    ["nice sh -c 'a+=b ls'", ['shell']],
  ])('in bash %s: %j', (text, kinds) => {
    expect(reasons(analysed(text))).toEqual(kinds);
  });

  test.each([
    ['echo &>x rm', ['shell']],
    [`bash -c 'echo &>x rm'`, []],
    [`eval 'echo &>x rm'`, ['shell']],
    ['echo "[[ x" "&> y"', []],
    ['eval -- ls', ['shell']],
    ['pushd sub; rm x', ['shell']],
  ])('in a shell called sh %s: %j', (text, kinds) => {
    expect(reasons(analysed(text, 'sh'))).toEqual(kinds);
  });

  test('words that no shell has read have no language either', () => {
    expect(reasons(analysedWords('sh', '-c', 'echo &>x rm'))).toEqual(['shell']);
    expect(reasons(analysedWords('bash', '-c', 'echo &>x rm'))).toEqual([]);
    expect(reasons(analysedWords('command', 'eval', 'echo &>x rm'))).toEqual(['shell']);
  });
});

test('eval takes a first `--` away', () => {
  expect(tree(analysed('eval -- rm a'))).toEqual(['0 eval -- rm a', '1<0 rm a']);
  expect(reasons(analysed('eval -- ls'))).toEqual([]);
});

const setsIn = (text: string): boolean =>
  allReasons(analysed(text)).some(
    ({ kind, message }) => kind === 'inline-code' && message.endsWith('selects the code that runs'),
  );

describe('variables that decide what code runs', () => {
  test.each([
    'LD_PRELOAD=./x.so true',
    'A=1 LD_PRELOAD=./x.so true',
    'LD_PRELOAD=$X true',
    'GIT_SSH_COMMAND=./x true',
    'PAGER=./x true',
    'NODE_OPTIONS="--require ./x.js" true',
    'BASH_ENV=x true',
    'PATH=.:$PATH true',
    'PATH=.:$PATH',
    'PATH+=:.; true',
    'HOME=/tmp true',
    'IFS=, true',
    'IFS=x; true',
    'export LD_PRELOAD=./x.so',
    'export A=1 LD_PRELOAD=./x.so; true',
    'export PATH="$X:$PATH"',
    'declare -x LD_PRELOAD=x',
    'typeset PATH=.',
    'readonly PATH=.',
    'f() { local PATH=.; true; }',
    'read PATH',
    'read -r -p x PATH < a',
    'mapfile PATH',
    'printf -v PATH .',
    'getopts a PATH',
    'for PATH in .; do true; done',
    'select PATH in .; do true; done',
    'true ${PATH:=.}',
    'true ${LD_PRELOAD=x}',
    'coproc PATH { true; }',
    'true {PATH}> a',
    'env LD_PRELOAD=./x.so true',
    'sudo LD_PRELOAD=./x.so true',
    "sh -c 'LD_PRELOAD=./x.so true'",
    "eval 'PATH=.'",
    'x=$(LD_PRELOAD=./x.so true)',
    'PATH[0]=. true',
    'unset PATH',
    'unset -v A PATH',
    '((PATH=1)); true',
    'true $((PATH+=1))',
    '(( ++PATH )); true',
    'for ((PATH=1;;)); do true; done',
    '[[ PATH=1 -eq 1 ]]; true',
    'x[PATH=1]=2; true',
    'true ${x:PATH=1:1}',
    "x='PATH=1'; ((x)); true",
    'declare -n x=PATH',
    'typeset -n x=PATH',
    'f() { local -n x=$1; x=.; }; f PATH',
    'declare -n x; x=PATH; x=.',
  ])('%s', (text) => {
    expect(setsIn(text)).toBe(true);
  });

  test.each([
    'A=1 true',
    'A=1',
    'CI=true true',
    'export A=1',
    'export PATH',
    'IFS=, read -r a b',
    'IFS= read -r line',
    'IFS=: mapfile x',
    'printf %s PATH',
    'unset A',
    'declare -n x=y',
    '((x=1)); true',
    '[[ $PATH == a ]]',
    '[[ $PATH =~ a ]]',
    'x[1]=PATH',
    'true PATH=.',
    'true ${PATH}',
    'true ${PATH:-x}',
    'for x in PATH; do true; done',
    'read -r line',
    'env A=1 true',
    'declare -p PATH',
    "printf -v out '%s' PATH=x",
  ])('%s decides nothing', (text) => {
    expect(setsIn(text)).toBe(false);
  });

  test('the reason stands at the assignment', () => {
    expect(
      allReasons(analysed('A=1 LD_PRELOAD=x true')).find(({ message }) => message.includes('LD_PRELOAD'))?.span,
    ).toEqual({ start: 4, end: 16 });
  });
});

test.each([
  ['', undefined],
  ['for PATH in a', 'PATH'],
  ['for x in a; do for  IFS in b', 'IFS'],
  ['${x:=1} ${PATH:=2}', 'PATH'],
  ['exec {PATH}>a', 'PATH'],
  ['${PATH:-x}', undefined],
])('variablesSetIn(%j) is %s', (text, name) => {
  expect(variablesSetIn(text)).toBe(name);
});
