import type { DescribedCommand } from '../load-commands.ts';
import { operandOf, valueOf, type Values } from './values.ts';

/** The facts about a command for completion and the manual, from its options and its `--help` text. */
export interface CommandShape {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionShape[];
  /** The first words, as in `trust keys add`. The command itself has an empty path. */
  readonly forms: readonly FormShape[];
}

export interface OptionShape {
  readonly name: string;
  readonly short?: string;
  /** Undefined for an option without a value. */
  readonly value?: Values;
  readonly repeatable: boolean;
  /** May be empty. */
  readonly summary: string;
}

export interface FormShape {
  readonly path: readonly string[];
  readonly summary: string;
  readonly operand: Values;
}

export function shapeOf(command: DescribedCommand): CommandShape {
  const [synopsis = ''] = command.usage.split('\n\n', 1);
  const help = helpOptions(command);
  return {
    name: command.name,
    summary: command.summary,
    options: [...Object.keys(command.options).map((name) => optionShape(command, name)), help],
    forms: formsOf(command, synopsis),
  };
}

export interface ActionsAfter {
  readonly before: readonly string[];
  readonly actions: readonly { readonly word: string; readonly summary: string }[];
}

/** The possible next words for each beginning of a path. */
export function actionsAfter({ forms }: CommandShape): readonly ActionsAfter[] {
  const found = new Map<string, { before: readonly string[]; actions: Map<string, string> }>();
  for (const { path, summary } of forms) {
    for (const [index, word] of path.entries()) {
      const before = path.slice(0, index);
      const { actions } = found.get(before.join(' ')) ?? { actions: new Map<string, string>() };
      found.set(before.join(' '), { before, actions: actions.set(word, index === 0 ? summary : '') });
    }
  }
  return [...found.values()].map(({ before, actions }) => ({
    before,
    actions: [...actions].map(([word, summary]) => ({ word, summary })),
  }));
}

function helpOptions({ name }: DescribedCommand): OptionShape {
  return { name: 'help', short: 'h', repeatable: false, summary: `what ${name} does` };
}

function optionShape(command: DescribedCommand, name: string): OptionShape {
  const { type, short, multiple } = command.options[name] ?? {};
  return {
    name,
    repeatable: multiple === true,
    summary: optionSummary(command.usage, name),
    ...(short === undefined ? {} : { short }),
    ...(type === 'string' ? { value: valueOf(command.name, name) } : {}),
  };
}

/** Of ` --read PATH also show PATH read-only (repeatable)` the text after the wide gap, up to the next one. */
function optionSummary(usage: string, name: string): string {
  const line = usage
    .split('\n')
    .find((candidate) => new RegExp(`^ {2}(?:--[\\w-]+, )*--${name}(?![\\w-])`, 'u').test(candidate));
  const [, , summary = ''] = line?.split(/ {2,}/u) ?? [];
  return summary.replace(/[;:,]$/u, '');
}

/** `usage: holdfast trust keys list [--json] | keys remove NAME` has two forms. */
function formsOf(command: DescribedCommand, synopsis: string): readonly FormShape[] {
  const found = synopsis
    .split('\n')
    .flatMap((line) => lineForms(command, line.replace(/^(?:usage:)?\s*holdfast [\w-]+\s?/u, '')));
  return [...new Map(found.map((form) => [form.path.join(' '), form])).values()];
}

function lineForms(command: DescribedCommand, line: string): readonly FormShape[] {
  const [first = '', ...others] = line.split(/ \| (?=[a-z])/u);
  const { path } = pathOf(first);
  // An alternative may begin with all words, or replace the last of them.
  const full = others.map((other) =>
    path.length > 1 && other.split(' ')[0] !== path[0] ? [...path.slice(0, -1), other].join(' ') : other,
  );
  return [first, ...full].map((text) => formOf(command, text));
}

function formOf(command: DescribedCommand, text: string): FormShape {
  const { path, rest } = pathOf(text);
  const summary = new RegExp(`^${path[0] ?? ''}: +(.*)$`, 'mu').exec(command.usage)?.[1] ?? '';
  return {
    path,
    summary: path.length === 0 ? '' : summary.replace(/[;:,]$/u, ''),
    operand: operandOf(command.name, operandName(command, rest)),
  };
}

function pathOf(text: string): { readonly path: readonly string[]; readonly rest: readonly string[] } {
  const words = text.split(' ');
  const end = words.findIndex((word) => !/^\[?[a-z][a-z-]*\]?$/u.test(word));
  const length = end < 0 ? words.length : end;
  return { path: words.slice(0, length).map((word) => word.replace(/[[\]]/gu, '')), rest: words.slice(length) };
}

/** The first name of a word that is neither an option nor its value: `ID` of `[ID] [PATH...] [--all]`. */
function operandName({ options }: DescribedCommand, words: readonly string[]): string | undefined {
  const bare = words.map((word) => word.replace(/[[\]()|…]|\.{3}/gu, '')).filter((word) => word !== '');
  const dashes = bare.indexOf('--');
  return bare
    .slice(0, dashes < 0 ? bare.length : dashes)
    .find(
      (word, index) =>
        /^[A-Z]+$/u.test(word) &&
        word !== 'OPTIONS' &&
        options[bare[index - 1]?.replace(/^--/u, '') ?? '']?.type !== 'string',
    );
}
