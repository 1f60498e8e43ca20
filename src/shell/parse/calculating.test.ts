import { describe, expect, test } from 'vitest';
import { parseScript } from './parse-script.ts';

const kindsOf = (text: string): readonly string[] => [...new Set(parseScript(text).opaque.map(({ kind }) => kind))];

/*
 * In a calculation, bash evaluates the value of a variable. A subscript in that value runs commands, even if quotes
 * hide it.
 */
const payload = "x='a[$(id)]'";

describe('a text that calculates with a hidden command is not understood', () => {
  test.each([
    `${payload}; let x`,
    `${payload}; let y=x`,
    `${payload}; builtin let y=x`,
    `${payload}; declare -i y=x`,
    `${payload}; typeset -i y=x`,
    `${payload}; f() { local -i y=x; }; f`,
    `${payload}; declare -ix y=x`,
    `${payload}; declare -r -i y=x`,
    `${payload}; declare $flags y=x`,
    `${payload}; a[x]=1`,
    `${payload}; a[x]+=1`,
    `${payload}; b=([x]=1)`,
    `${payload}; declare 'b[x]=1'`,
    `${payload}; printf -v 'b[x]' y`,
    `${payload}; read 'b[x]' < f`,
    `${payload}; test -v 'b[x]'`,
    `${payload}; [ -v 'b[x]' ]`,
    `${payload}; unset 'b[x]'`,
    `${payload}; echo \${b[x]}`,
    `${payload}; (( x ))`,
    `${payload}; [[ x -eq 1 ]]`,
    "declare -i y; y='a[$(id)]'",
    "declare -i y; y='a[`id`]'",
    "declare -ai y; y[0]='a[$(id)]'",
    'declare -ai y; y=("a[\\$(id)]")',
    "declare -i y; read y <<< 'a[$(id)]'",
    "declare -i y; read y <<'E'\na[$(id)]\nE\n",
    "read y <<< 'a[$(id)]'; let y",
    "declare -i y; printf -v y '%s' 'a[$(id)]'",
  ])('%j', (text) => {
    expect(kindsOf(text)).toContain('uncovered');
  });
});

describe('neither calculating nor such a text is enough', () => {
  test.each([
    `${payload}; echo "$x"`,
    'let i++',
    'let "i += 1"',
    'declare -i n=0; n=n+1',
    'declare -a list; list[0]=a',
    'declare -x y=1; a=1',
    "grep 'a[$(]' f",
    "cat <<< 'a[$(id)]'",
    "declare -r y; z='a[$(id)]'",
    'read -r line < f',
    '[ -e a ] && [ -f b ]',
    'printf "%s" "$x"',
    "declare y='-i'; a=1",
    'list[0]=$(id)',
    'list=([a]=$(id) [b]="$(id)")',
  ])('%j', (text) => {
    expect(kindsOf(text)).toEqual([]);
  });
});
