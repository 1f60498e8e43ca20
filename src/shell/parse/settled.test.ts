import { describe, expect, test } from 'vitest';
import { mayBeOption, mayBeSeveral } from '../tools/words.ts';
import type { Word } from '../types.ts';
import { parseScript } from './parse-script.ts';

/** The last word of the command `here`. */
function lastWord(text: string): Word | undefined {
  return parseScript(text)
    .invocations.find(({ argv }) => argv[0]?.kind === 'static' && argv[0].value === 'here')
    ?.argv.at(-1);
}

const doubtOf = (text: string): string => {
  const word = lastWord(text);
  if (word === undefined) return 'no word';
  return mayBeOption(word) ? 'option' : mayBeSeveral(word) ? 'several' : 'none';
};

describe('a word that no value of the text makes an option', () => {
  test.each([
    'f=a.txt; here "$f"',
    'f=a.txt; here $f',
    'f=a.txt; here "${f}"',
    'f=src/a; here "$f/b c"',
    'f=src; here $f/a.ts',
    'f=~/a; here "$f"',
    'f=a && here "$f"',
    'f=a; f=b; here "$f"',
    'f=a; ls && here "$f"',
    'for f in a b; do here "$f"; done',
    'for f in a b; do here $f; done',
    'for f in src/*.ts; do here "$f"; done',
    'for f in {1..3}; do here $f; done',
    'for p in 80 443; do here :$p; done',
    'for f in a b; do g=c; here "$f"; done',
    'r=$(git rev-parse --show-toplevel); here "$r"',
    'r=$(pwd); here "$r/a"',
    'here "$HOME"',
    'here "$PWD/a"',
    'here $(which sh)',
    'for c in $(git rev-list -5 HEAD); do here "$c"; done',
    'f=a; echo $(here "$f")',
  ])('%s', (text) => {
    expect(doubtOf(text)).toBe('none');
  });
});

describe('a word that may be an option keeps the doubt', () => {
  test.each([
    'here "$f"',
    'f=-delete; here "$f"',
    'f="(" ; here "$f"',
    'f=; here "$f"',
    'f=a; f=-x; here "$f"',
    'f=a; f+=b; here "$f"',
    'f=a; here "${f%a}-x"',
    'f=a; here "${f%%*}-x"',
    'f=a; here "${f#a}"',
    'f=a; here "${f:=-x}"',
    'f=a; here "${f/a/-x}"',
    'f="a -x"; here $f',
    'f=*; here $f',
    'r=$(git rev-parse --show-toplevel); here "$r-x"',
    'r=$(git describe); here "$r"',
    'r=$(pwd; echo -x); here "$r"',
    'r=$(git rev-parse --show-toplevel)-x; here "$r-y"',
    'here "$f"; f=a',
    '(f=a); here "$f"',
    'f=a | cat; here "$f"',
    'f=a & here "$f"',
    'ls && f=a; here "$f"',
    'if ls; then f=a; fi; here "$f"',
    'f=a ls; here "$f"',
    'f=a; read f; here "$f"',
    'f=a; read -r f < x; here "$f"',
    'f=a; eval f=-x; here "$f"',
    'f=a; declare f=-x; here "$f"',
    'f=a; export f=-x; here "$f"',
    'f=a; unset f; here "$f-x"',
    'f=a; printf x; mapfile f; here "$f"',
    'f=a; getopts x f; here "$f"',
    'f=a; ((f=-1)); here "$f"',
    'f=a; : $((f=-1)); here "$f"',
    'f=a; let f=-1; here "$f"',
    'f=a; [[ f=-1 -eq 0 ]]; here "$f"',
    'f=a; g() { f=-x; }; g; here "$f"',
    'f=a; alias g=f=-x; g; here "$f"',
    'f=a; trap f=-x DEBUG; here "$f"',
    'f=a; for f in -x; do ls; done; here "$f"',
    'for f in a -x; do here "$f"; done',
    'for f in *; do here "$f"; done',
    'for f in $(cat x); do here "$f"; done',
    'for f in src/*.ts; do here $f; done',
    'for f in a; do ls; done; here "$f"',
    'for f in $(git rev-list --format=%s HEAD); do here "$f"; done',
    'for f in $(seq -3 1); do here "$f"; done',
    'IFS=a; f=xa-y; here $f',
    'PWD=-x; here "$PWD"',
    'HOME=-x; here "$HOME"',
    'RANDOM=a; here "$RANDOM"',
    'f=a; here -$f',
    'select f in a; do here "$f"; done',
    'f=a; sh -c \'here "$f"\'',
    'f=a; printf -v f %s -x; here "$f"',
    'f=a; printf "-vf" %s -x; here "$f"',
    'f=a; re""ad f < x; here "$f"',
    'f=a; \\read f < x; here "$f"',
    'f=a; command "re"ad f < x; here "$f"',
    'f=a; ev"al" f=-x; here "$f"',
    'f=a; $r f; here "$f"',
  ])('%s', (text) => {
    expect(doubtOf(text)).not.toBe('none');
  });
});
