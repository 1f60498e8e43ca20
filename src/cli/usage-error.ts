import { HoldfastError } from '../errors/index.ts';
import { nearest } from '../policy/document/suggest.ts';
import { type Command, usageOf } from './command.ts';

/** Returns an error of a command line whose remedy is the help of its command. */
export function usageError(command: string, message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: `see \`holdfast ${command} --help\`` });
}

/** Returns the error for `holdfast policy shwo`, and for `holdfast tool` without an action. */
export function unknownAction(command: string, actions: readonly string[], name: string): HoldfastError {
  const meant = nearest(name, actions);
  return new HoldfastError(
    'HF_USAGE',
    name === '' ? `${command} needs an action` : `${command} has no action ${JSON.stringify(name)}`,
    {
      remedy:
        meant === undefined
          ? `use ${actions.join(', ')}; see \`holdfast ${command} --help\``
          : `did you mean \`holdfast ${command} ${meant}\`? See \`holdfast ${command} --help\``,
    },
  );
}

/** Returns the action of this name. Throws the error of `unknownAction` for any other name. */
export function namedAction<Action>(command: string, actions: ReadonlyMap<string, Action>, name: string): Action {
  const action = actions.get(name);
  if (action === undefined) throw unknownAction(command, [...actions.keys()], name);
  return action;
}

/** Options of other sandboxes, and the option that grants the same here. */
const elsewhere: Readonly<Record<string, string>> = {
  'allow-env': 'env',
  'allow-net': 'host',
  'allow-network': 'host',
  'allow-read': 'read',
  'allow-write': 'write',
  bind: 'write',
  e: 'env',
  net: 'host',
  network: 'host',
  'ro-bind': 'read',
  setenv: 'env',
  'share-net': 'host',
  v: 'write',
  volume: 'write',
};

/** Says in this project's words what `util.parseArgs` found wrong. */
export async function optionError(cause: Error, command: Command): Promise<HoldfastError> {
  const { message, remedy } = explained(cause, command, await usageOf(command));
  return new HoldfastError('HF_USAGE', message, { remedy, cause });
}

interface Explained {
  readonly message: string;
  readonly remedy: string;
}

function explained({ message }: Error, { name, options }: Command, usage: string): Explained {
  const help = `see \`holdfast ${name} --help\``;
  const [, option = ''] = /(--?[^\s'=]+)/u.exec(message) ?? [];
  if (message.startsWith('Unknown option')) {
    const meant = meantOption(option.replace(/^-+/u, ''), Object.keys(options));
    return {
      message: `${name} has no option ${option}`,
      remedy: meant === undefined ? help : `did you mean --${meant}? S${help.slice(1)}`,
    };
  }
  if (message.startsWith('Unexpected argument')) {
    const [, word = ''] = /^Unexpected argument '(.*?)'\./su.exec(message) ?? [];
    return {
      message: `${name} takes no argument ${JSON.stringify(word)}`,
      remedy: strayRemedy(word, { name, options, usage }) ?? help,
    };
  }
  return message.includes('does not take an argument')
    ? { message: `${option} takes no value`, remedy: `write ${option} alone; ${help}` }
    : {
        message: `${option} needs a value`,
        remedy: `write ${option} VALUE, or ${option}=VALUE if it starts with a dash; ${help}`,
      };
}

function strayRemedy(
  word: string,
  { name, options, usage }: Pick<Command, 'name' | 'options'> & { readonly usage: string },
): string | undefined {
  if (!usage.includes('-- COMMAND')) return undefined;
  return 'path' in options
    ? `ask about a path with --path ${word}, or about a command with -- ${word}`
    : `write a command after \`--\`: holdfast ${name} -- ${word}`;
}

function meantOption(option: string, known: readonly string[]): string | undefined {
  const same = elsewhere[option];
  return same !== undefined && known.includes(same) ? same : nearest(option, known);
}
