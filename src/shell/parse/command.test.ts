import { describe, expect, test } from 'vitest';
import type { Stdin } from '../types.ts';
import { parseScript } from './parse-script.ts';
import { describeWord } from './testing/describe.ts';

function redirectsOf(text: string): readonly string[] {
  return parseScript(text).invocations.flatMap(({ redirects }) =>
    redirects.map(({ use, target }) => `${use} ${describeWord(target)}`),
  );
}

describe('files that redirections open', () => {
  test.each([
    ['a >f', ['write f']],
    ['a 2>>f', ['append f']],
    ['a >|f', ['write f']],
    ['a &>f &>>g', ['write f', 'append g']],
    ['a >&f', ['write f']],
    ['a <f', ['read f']],
    ['a <>f', ['read-write f']],
    ['a {fd}>f', ['write f']],
    ['>f a', ['write f']],
    ['>f', ['write f']],
    ['a >"$x"', ['write expansion("$x")']],
    ['a >&$x', ['write expansion($x)']],
    ['a >~/x', ['write ~/x']],
    ['a >*.c', ['write glob(|*.c)']],
    ['{ a; b; } >f 2>>g', ['write f', 'append g']],
    ['while a; do b; done <f', ['read f']],
    ['f() { a; } >o', ['write o']],
    ['a 2>&1', []],
    ['a >&2-', []],
    ['a 2>&-', []],
    ['a <&3', []],
    ['a <<<x', []],
    ['a <<E\nx\nE', []],
  ])('%s', (text, redirects) => {
    expect(redirectsOf(text)).toEqual(redirects);
  });
});

describe('what a command reads', () => {
  const inherited: Stdin = { kind: 'inherited' };
  test.each<[string, readonly Stdin[]]>([
    ['a', [inherited]],
    ['a | b', [inherited, { kind: 'pipe', from: 0 }]],
    ['a $(x) | b | c', [inherited, inherited, { kind: 'pipe', from: 0 }, { kind: 'pipe', from: 2 }]],
    ['{ a; b; } | c', [inherited, inherited, { kind: 'pipe', from: undefined }]],
    ['a | { b; c; }', [inherited, { kind: 'pipe', from: 0 }, { kind: 'pipe', from: 0 }]],
    ['a | b $(c)', [inherited, { kind: 'pipe', from: 0 }, { kind: 'pipe', from: 0 }]],
    ['a > >(b)', [inherited, { kind: 'pipe', from: 0 }]],
    ["a <<'E'\n$x\nE", [{ kind: 'text', text: '$x\n' }]],
    ['a <<E\nrm \\$x\\\ny\nE', [{ kind: 'text', text: 'rm $xy\n' }]],
    ['a <<E\n$x\nE', [{ kind: 'text', text: undefined }]],
    ["a <<-'E'\n\tb\n\t\tc\n\tE", [{ kind: 'text', text: 'b\nc\n' }]],
    ['a <<<"b c"', [{ kind: 'text', text: 'b c\n' }]],
    ['a <<<$x', [{ kind: 'text', text: undefined }]],
    ['a 3<<<b', [inherited]],
    ['a | b <<<c', [inherited, { kind: 'text', text: 'c\n' }]],
    ['a <<E <<<b\nx\nE', [{ kind: 'text', text: 'b\n' }]],
    ['coproc a', [{ kind: 'pipe', from: undefined }]],
  ])('%s', (text, stdin) => {
    expect(parseScript(text).invocations.map((invocation) => invocation.stdin)).toEqual(stdin);
  });

  test('a file, also around a group', () => {
    const paths = parseScript('{ a; } <f; b <g; c 0<h; d 3<i').invocations.map(({ stdin }) =>
      stdin.kind === 'file' ? describeWord(stdin.path) : stdin.kind,
    );
    expect(paths).toEqual(['inherited', 'f', 'g', 'h', 'inherited']);
  });
});
