/**
 * Texts in which the parser loses commands, or reads something else than bash does. Each was seen to run the named
 * command.
 */
import { describe, expect, test } from 'vitest';
import { parseScript } from '../parse-script.ts';
import { commandsOf, reasonsOf } from '../testing/describe.ts';

test('a backslash that bash drops at the end is dropped, and asked about', () => {
  for (const [text, commands] of [
    ["'\n'\\", ['\n']],
    ['true\ngit push --force\\', ['true', 'git push --force']],
  ] as const) {
    expect(commandsOf(text)).toEqual(commands);
    expect(parseScript(text).opaque).toMatchObject([{ kind: 'uncovered' }]);
  }
  for (const text of ['ls\\', 'true\nls\\\\', 'true\nls']) expect(parseScript(text).opaque).toEqual([]);
});

describe('what the parser loses is asked about', () => {
  test.each([
    ['an array that goes on after its end swallows a substitution', 'a=(x $(id))\\\n'],
    ['an array with a tilde behind it', 'a=(x $(id))~'],
    ['a process substitution as a value', 'x=<(a) rm y'],
    ['a process substitution that goes on in a here-string', '<<<<(a)x rm y'],
    ['a process substitution that goes on in a word', 'a <(b)c'],
    ['a here-document whose body follows its substitution', 'a $(cat <<E)\nbody\nE\nrm x'],
    ['a here-document without an end', 'cat <<E\nabc'],
    ['a here-document among several commands of a substitution', 'a $(b <<E | c;d\ntext\nE\n)'],
    ['single quotes in braces of a here-document', "a <<E\n${x:-'$(id)'}\nE"],
    ['single quotes in arithmetic', "(( a['$(id)'] ))"],
    ['single quotes in arithmetic, in backticks', "echo $(( '`id`' ))"],
    ['single quotes in braces in arithmetic', '(( q "x $#{x:="${x:-\'$(id)\'}"}" ))'],
    ['a pattern in place of a negation', 'a $(!(rm))'],
    ['a dollar before a line continuation', '"$\\\n1f"'],
    ['a dollar before a line continuation and quotes', '$\\\n"id"'],
    ['arithmetic that is a subshell', "echo $((1 + $(a <<E\nit's\nE\n)))"],
    [
      'arithmetic that is a subshell, for a backslash ends no quotes',
      "l $((1 + $(case '\\' in (a) b #'(\n;; *) t;; esac)0))",
    ],
    ['a coprocess in a substitution', 'a $(coproc b c)'],
    ['a descriptor that is closed with a word behind it', 'a 2>&-b'],
    ['a descriptor over two lines', 'a {f\\\nd}>x'],
    ['a number before a line continuation that is a descriptor', '2\\\n>x rm y'],
    ['a number of two digits over two lines that is a descriptor', 'a 1\\\n2>x'],
    ['backslashes before a line end in backticks', 'a `b"\\\\\\\n"`'],
    ['a line continuation in single quotes in backticks in double quotes', "\"`'\\\n''s';rm\n`\""],
    ['a quote without an end', "a 'b"],
    ['a parenthesis without an end', '(a'],
    ['too much nesting', '('.repeat(1000)],
  ])('%s', (_, text) => {
    expect(reasonsOf(text)).not.toEqual([]);
  });

  test('a carriage return parts no words', () => {
    expect(reasonsOf('echo a\rrm x')).toContain('syntax');
    expect(commandsOf('echo a\rrm x')).toHaveLength(1);
  });
});

describe('what others have read wrongly, and is read well here', () => {
  test.each([
    ['r\\\nm x', ['rm']],
    ['\n\\rm x', ['rm']],
    ['cat <<E\n`rm`\nE', ['cat', 'rm']],
    ['time rm', ['rm']],
    ['coproc rm', ['rm']],
    ['a ${y:=`rm`}', ['a', 'rm']],
    ['cat <<E <<F; rm\n1\nE\n2\nF', ['cat', 'rm']],
    ['[[ a[$(rm)] -eq 0 ]]', ['rm']],
    ['"${x:-\'$(rm)\'}"', ['expansion', 'rm']],
    ['a "`rm \\"b\\"`"', ['a', 'rm']],
    ['a $(# comment )\nrm)', ['a', 'rm']],
    ["a '`b`' \\`c\\` # `d`", ['a']],
    ['case a in a) rm;; esac', ['rm']],
    ['a $(case b in b) rm;; esac)', ['a', 'rm']],
  ])('%j', (text, names) => {
    const { invocations, opaque } = parseScript(text);
    expect(opaque).toEqual([]);
    expect(
      invocations.flatMap(({ argv: [name] }) =>
        name === undefined
          ? []
          : name.kind === 'static'
            ? name.value
            : name.kind === 'dynamic'
              ? name.because
              : name.kind,
      ),
    ).toEqual(names);
  });
});
