import { describe, expect, test } from 'vitest';
import { parseScript } from './parse-script.ts';

function constructs(text: string): readonly string[] {
  return parseScript(text, { language: 'posix' }).opaque.map(({ kind, message }) =>
    kind === 'shell' ? (/^`([^]*)` means/u.exec(message)?.[1] ?? message) : kind,
  );
}

describe('what bash reads and another shell reads otherwise', () => {
  test.each([
    ['echo &>x rm -rf y', '&>'],
    ['echo &>>x rm', '&>>'],
    ['a |& b', '|&'],
    ['a <<< b', '<<<'],
    ['a <(b)', '<('],
    ['a > >(b)', '>('],
    ['((rm a))', '(('],
    ['for ((i=0;i<2;i++)); do a; done', 'for (('],
    ['[[ a || b ]]', '[['],
    ["$'a'", "$'"],
    ["x=$'\\''", "$'"],
    ['a $"b"', '$"'],
    ['function f { a; }', 'function'],
    ['function f() { a; }', 'function'],
    ['coproc a', 'coproc'],
    ['select x in a; do b; done', 'select'],
    ['time rm a', 'time'],
    ['! time -p rm a', 'time'],
    ['case x in x) a ;& y) b ;; esac', ';&'],
    ['case x in x) a ;;& y) b ;; esac', ';;&'],
    ['a+=b rm x', 'a+='],
    ['a[1]=b rm x', 'a['],
    ['a[1]=b', 'a['],
    ['a=(b)', '=('],
    ['export a=(b)', '=('],
    ['10>x rm y', '10>'],
    ['rm 10>x', '10>'],
    ['{fd}>x rm y', '{fd}>'],
    ['{ rm y; } 12<x', '12>'],
    ['cat 12<<E\nE\n', '12>'],
    ['echo @(a|b)', '@('],
    ['echo ${x/a/b}', '${x/a/b}'],
    ['echo ${x^^}', '${x^^}'],
    ['echo ${x,}', '${x,}'],
    ['echo ${x@Q}', '${x@Q}'],
    ['echo ${x:1:2}', '${x:1:2}'],
    ['echo ${x[1]}', '${x[1]}'],
    ['echo ${!x}', '${!x}'],
    ['echo ${!x*}', '${!x*}'],
    ['echo "${x:-$\'a\'}"', "$'"],
    ['echo $[ 1 + 2 ]', '$['],
    ['let x=1', 'let'],
    ['source x', 'source'],
    ['"source" x', 'source'],
    ['\\source x', 'source'],
    ['command source x', 'source'],
    ['command -p declare x', 'declare'],
    ['builtin cd x', 'builtin'],
    ['pushd x', 'pushd'],
    ['exec -a x rm y', 'exec -a'],
    ['exec -- rm y', 'exec --'],
    ['command exec -c rm y', 'exec -c'],
    ['chdir x', 'chdir'],
    ['a=1 typeset x', 'typeset'],
    ['shopt -s extglob', 'shopt'],
    ['cat <<$x\n$x\n', '<<'],
    ['cat <<E\\\nF\nEF\n', '<<'],
    ['echo "$(a |& b)"', '|&'],
    ['echo `a &>b`', '&>'],
    ['if a; then b &>c; fi', '&>'],
  ])('%j: %s', (text, construct) => {
    expect(constructs(text)).toContain(construct);
    expect(parseScript(text, { language: 'bash' }).opaque.filter(({ kind }) => kind === 'shell')).toEqual([]);
  });

  test('is said where it stands', () => {
    expect(parseScript('a; b &>c', { language: 'posix' }).opaque.map(({ span }) => span)).toEqual([
      { start: 5, end: 8 },
    ]);
  });
});

test.each([
  'ls -l',
  'echo $((1 + 2))',
  '( (a) )',
  'a || b && c & d; e | f',
  'a << E\n$(b) ((\nE\n',
  "a << 'E F'\nx\nE F\n",
  'a <<-\\E\n\tE\n',
  'myfunction x; time_it y; x time',
  '[ a == b ]',
  'x="$y" z=1 a',
  'echo "[[ x"',
  'echo "a &> b" \'|&\' \\<\\<\\<',
  'echo "$\'a\'"',
  'echo source let [[ builtin',
  'git commit -m "time (( <<< $(date)"',
  'echo ${x:-a} ${x#a} ${x%%a} ${#x} ${x} "${x:+b}" $# $@',
  'echo {a,b} {1..3} ~+',
  'a 2>&1 >&2 <&3 3<&- >|b <>c 9>d',
  'f() { a; }; f',
  'case x in (a|b) c;; *) d; esac',
  'while a; do b; done; until a; do b; done; for i in a b; do c; done',
  'if a; then b; elif c; then d; else e; fi',
  '! a',
  'export a+=b',
  'command -v source-highlight',
  '"time" a; "function" b',
  'exec rm -a; command -p rm; echo exec -a',
])('%j is the same for every shell', (text) => {
  expect(constructs(text)).toEqual([]);
});

test('a program that another shell has as a keyword is still one of several things', () => {
  expect(constructs('\\[[ a')).toEqual(['[[']);
});
