import { machineryOf } from './machinery.ts';
import { plainWords } from './quote.ts';
import { actionsAfter, type CommandShape, type OptionShape } from './shape.ts';
import type { Values } from './values.ts';

/** A script for fish 3.1 and newer. */
export function fishCompletion(commands: readonly CommandShape[]): string {
  return `# fish completion for holdfast, made from its commands.

# The options that take a value, as COMMAND--OPTION, and the words that lead on, as COMMAND/WORD/WORD
set -g __holdfast_valued ${commands.flatMap(({ name, options }) => options.filter(({ value }) => value !== undefined).flatMap((option) => spellings(option).map((spelling) => `${name}${spelling}`))).join(' ')}
set -g __holdfast_ways ${commands
    .flatMap(({ name, forms }) =>
      forms.flatMap(({ path }) => path.map((_, index) => [name, ...path.slice(0, index + 1)].join('/'))),
    )
    .filter((way, index, all) => all.indexOf(way) === index)
    .join(' ')}

${machineryOf('fish')}
${commands.map(({ name, summary }) => `complete -c holdfast -n '__holdfast_at /' -a ${name} -d ${quoted(summary)}`).join('\n')}
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines(command: CommandShape): readonly string[] {
  const options = command.options.map((option) => optionLine(command.name, option));
  const actions = actionsAfter(command).flatMap(({ before, actions: words }) =>
    words.map(
      ({ word, summary }) =>
        `complete -c holdfast -n '__holdfast_at ${[command.name, ...before].join('/')}' -a ${word} -d ${quoted(summary)}`,
    ),
  );
  const operands = command.forms
    .filter(({ operand }) => operand.kind !== 'any')
    .map(
      ({ path, operand }) =>
        `complete -c holdfast -n '__holdfast_at ${[command.name, ...path].join('/')}' ${proposal(operand)}`,
    );
  return [...options, ...actions, ...operands];
}

function optionLine(command: string, { name, short, value, summary }: OptionShape): string {
  const spelling = `-l ${name}${short === undefined ? '' : ` -s ${short}`}`;
  return `complete -c holdfast -n '__holdfast_in ${command}' ${spelling}${value === undefined ? '' : ` -r ${proposal(value)}`}${summary === '' ? '' : ` -d ${quoted(summary)}`}`;
}

function spellings({ name, short }: OptionShape): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function proposal(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a '${plainWords(values.words)}'`;
    case 'ids':
      return `-f -k -a '(__holdfast_ids ${values.of})'`;
    case 'file':
      return '-F';
    case 'directory':
      return `-f -a '(__fish_complete_directories (commandline -ct))'`;
    case 'variable':
      return `-f -a '(set -nx)'`;
    case 'any':
      return '-f';
  }
}

/** fish has another escape for quotes than the other shells. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
