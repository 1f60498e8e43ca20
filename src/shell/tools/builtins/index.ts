/**
 * What is known of the shell's builtins, apart from those that run other commands (`eval`, `source`, `exec`, `command`), which
 * are wrappers. What changes a shell for the commands behind it is followed by the analysis, not here.
 */
import { each, flags, inOrder, noSpan, takes, tool } from '../notation.ts';
import type { Refinement, ToolSpec } from '../types.ts';
import { shown } from '../words.ts';
import { codeTools } from './code.ts';
import { variableTools } from './variables.ts';

const words = (names: string): readonly ToolSpec[] => names.split(' ').map((name) => tool(name, { grammar: 'words', operands: each('text') }));

/** `+` leads options of `set` as well. */
const setLetters = [...'abefhkmnptuvxBCEHPT'].flatMap((letter) => [`-${letter}`, `+${letter}`]);

/** Links are followed by `cd`, or words become assignments wherever they stand. */
const strangeOptions = ['physical', 'keyword'];
const set = tool('set', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags(...setLetters), ...takes('text', '-o', '+o')],
  refine: ({ options }) => strange(options.find(({ spelled, value }) => spelled === '-P' || spelled === '-k' || (spelled === '-o' && (value?.kind !== 'static' || strangeOptions.includes(value.value))))?.spelled, 'set'),
});
const cd = tool('cd', { grammar: 'getopt-posix', operands: inOrder(['directory']), options: flags('-L', '-P', '-e', '-@') });
const pushd = tool('pushd', { grammar: 'getopt-posix', operands: inOrder(['directory']), options: flags('-n', '-#') });
const popd = tool('popd', { grammar: 'getopt-posix', operands: inOrder(['text']), options: flags('-n', '-#') });
const dirs = tool('dirs', { operands: each('text'), options: flags('-c', '-l', '-p', '-v', '-#') });
const pwd = tool('pwd', { operands: each('text'), options: flags('-L --logical', '-P --physical', '--help', '--version') });
/** What the others change, texts are not read by: `cdable_vars` takes directories from variables, `lastpipe` ends pipelines in the shell itself. */
const usualOptions = new Set(['nullglob', 'failglob', 'dotglob', 'globstar', 'nocaseglob', 'nocasematch', 'extglob', 'inherit_errexit', 'checkwinsize', 'histappend', 'globasciiranges']);
const shopt = tool('shopt', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: flags('-s', '-u', '-q', '-p', '-o'),
  refine: ({ options, operands }) => (options.some(({ spelled }) => spelled === '-s' || spelled === '-u') ? strange(operands.map(shown).find((name) => !usualOptions.has(name)), 'shopt') : {}),
});

function strange(name: string | undefined, builtin: string): Refinement {
  return name === undefined ? {} : { opaque: [{ kind: 'shell', message: `\`${builtin}\` with \`${name}\` changes how the text after it is read`, span: noSpan }] };
}
const type = tool('type', { grammar: 'getopt-posix', operands: each('text'), options: flags('-a', '-f', '-t', '-p', '-P') });
const jobs = tool('jobs', { operands: each('text'), options: flags('-l', '-n', '-p', '-r', '-s') });
const disown = tool('disown', { operands: each('text'), options: flags('-a', '-h', '-r') });

export const builtinsTools: readonly ToolSpec[] = [
  ...words('echo : true false exit return break continue shift umask ulimit times fg bg suspend logout caller help'),
  set, cd, pushd, popd, dirs, pwd, shopt, type, jobs, disown,
  ...variableTools,
  ...codeTools,
];
