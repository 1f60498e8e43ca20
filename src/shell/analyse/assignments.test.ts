import { describe, expect, test } from 'vitest';
import { allReasons, analysed } from './testing/analysed.ts';
import { variablesSetIn } from './assignments.ts';

const setsIn = (text: string): boolean => allReasons(analysed(text)).some(({ kind, message }) => kind === 'inline-code' && message.endsWith('decides what code runs'));

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
  ])('%s', (text) => {
    expect(setsIn(text)).toBe(true);
  });

  test.each(['A=1 true', 'A=1', 'CI=true true', 'export A=1', 'export PATH', 'IFS=, read -r a b', 'IFS= read -r line', 'IFS=: mapfile x', 'printf %s PATH', 'true PATH=.', 'true ${PATH}', 'true ${PATH:-x}', 'for x in PATH; do true; done', 'read -r line', 'env A=1 true', 'declare -p PATH', "printf -v out '%s' PATH=x"])('%s decides nothing', (text) => {
    expect(setsIn(text)).toBe(false);
  });

  test('the reason stands at the assignment', () => {
    expect(allReasons(analysed('A=1 LD_PRELOAD=x true')).find(({ message }) => message.includes('LD_PRELOAD'))?.span).toEqual({ start: 4, end: 16 });
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
