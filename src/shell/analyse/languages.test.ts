import { describe, expect, test } from 'vitest';
import { analysed, analysedWords, reasons, tree } from './testing/analysed.ts';

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
