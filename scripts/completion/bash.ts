import type { Values } from './values.ts';
import { actionsAfter, type CommandShape } from './shape.ts';
import { machineryOf } from './machinery.ts';
import { plainWords, quoted } from './quote.ts';

/** A script for bash 4.4 and newer; bash-completion is not needed. */
export function bashCompletion(commands: readonly CommandShape[]): string {
  return `# bash completion for holdfast, made from its commands. Load it with: eval "$(holdfast completion bash)"
_holdfast_commands=${quoted(commands.map(({ name }) => name).join(' '))}

# COMMAND: its options
_holdfast_options() {
  case $1 in
${commands.map(({ name, options }) => `    ${name}) REPLY=${quoted(options.flatMap(({ name: option, short }) => [`--${option}`, ...(short === undefined ? [] : [`-${short}`])]).join(' '))} ;;`).join('\n')}
    *) REPLY= ;;
  esac
}

# COMMAND OPTION: what its value may be; empty where it takes none
_holdfast_value() {
  case "$1 $2" in
${commands.flatMap(valueRows).join('\n')}
    *) REPLY= ;;
  esac
}

# COMMAND WORD…: the words that may come next
_holdfast_actions() {
  case "$*" in
${commands.flatMap(actionRows).join('\n')}
    *) REPLY= ;;
  esac
}

# COMMAND WORD…: what may stand behind them
_holdfast_operand() {
  case "$*" in
${commands.flatMap(({ name, forms }) => forms.map(({ path, operand }) => `    ${quoted([name, ...path].join(' '))}) REPLY=${quoted(spec(operand))} ;;`)).join('\n')}
    *) REPLY= ;;
  esac
}
${machineryOf('bash')}`;
}

function valueRows({ name, options }: CommandShape): readonly string[] {
  return options.flatMap(({ name: option, short, value }) => {
    if (value === undefined) return [];
    const spellings = [`--${option}`, ...(short === undefined ? [] : [`-${short}`])].map((spelling) =>
      quoted(`${name} ${spelling}`),
    );
    return [`    ${spellings.join(' | ')}) REPLY=${quoted(spec(value))} ;;`];
  });
}

function actionRows(command: CommandShape): readonly string[] {
  return actionsAfter(command).map(
    ({ before, actions }) =>
      `    ${quoted([command.name, ...before].join(' '))}) REPLY=${quoted(plainWords(actions.map(({ word }) => word)))} ;;`,
  );
}

function spec(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `words ${plainWords(values.words)}`;
    case 'ids':
      return `ids ${values.of}`;
    case 'file':
    case 'directory':
    case 'variable':
    case 'any':
      return values.kind;
  }
}
