import { machineryOf } from './machinery.ts';
import { plainWords, quoted } from './quote.ts';
import { actionsAfter, type CommandShape, type OptionShape } from './shape.ts';
import type { Values } from './values.ts';

/** A script for `_holdfast` in a directory of `$fpath`, or for `source`. */
export function zshCompletion(commands: readonly CommandShape[]): string {
  return `#compdef holdfast
# zsh completion for holdfast, made from its commands.

_holdfast_commands=(
${commands.map(({ name, summary }) => `  ${described(name, summary)}`).join('\n')}
)

# COMMAND: its options, for _arguments
_holdfast_options() {
  case $1 in
${commands
  .map(
    ({ name, options }) =>
      `    ${name}) reply=(\n${options
        .flatMap(optionSpecs)
        .map((spec) => `      ${quoted(spec)}`)
        .join('\n')}\n    ) ;;`,
  )
  .join('\n')}
    *) reply=() ;;
  esac
}

# COMMAND WORD…: the words that may come next
_holdfast_actions() {
  case "$*" in
${commands.flatMap(actionRows).join('\n')}
    *) reply=() ;;
  esac
}

# COMMAND WORD…: completes what may stand behind them
_holdfast_operand() {
  case "$*" in
${commands.flatMap(({ name, forms }) => forms.filter(({ operand }) => operand.kind !== 'any').map(({ path, operand }) => `    ${quoted([name, ...path].join(' '))}) ${action(operand)} ;;`)).join('\n')}
    *) _message 'no more to propose' ;;
  esac
}

${machineryOf('zsh')}`;
}

function described(word: string, summary: string): string {
  return quoted(`${plainWords([word])}:${summary.replaceAll('\\', '').replaceAll(':', '\\:')}`);
}

/** `*--read=[also show PATH read-only]:read:_files` */
function optionSpecs({ name, short, value, repeatable, summary }: OptionShape): readonly string[] {
  const text = `[${summary
    .replaceAll(/[\\`"'$]/gu, '')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll(':', '\\:')}]`;
  const rest = value === undefined ? '' : `:${name}:${action(value)}`;
  const mark = repeatable ? '*' : '';
  return [
    `${mark}--${name}${value === undefined ? '' : '='}${text}${rest}`,
    ...(short === undefined ? [] : [`${mark}-${short}${value === undefined ? '' : '+'}${text}${rest}`]),
  ];
}

function actionRows(command: CommandShape): readonly string[] {
  return actionsAfter(command).map(
    ({ before, actions }) =>
      `    ${quoted([command.name, ...before].join(' '))}) reply=(${actions.map(({ word, summary }) => described(word, summary)).join(' ')}) ;;`,
  );
}

/** An action of `_arguments`. Except for the words, it is also a command. */
function action(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `(${plainWords(values.words)})`;
    case 'ids':
      return ` _holdfast_ids ${values.of}`;
    case 'file':
      return '_files';
    case 'directory':
      return '_files -/';
    case 'variable':
      return ' _holdfast_variables';
    case 'any':
      return ' ';
  }
}
