import type { Opacity, Word } from '../types.ts';
import type { SimpleCommand } from './command.ts';

/**
 * Builtins that take a variable's name as an argument, and evaluate its subscript. `test -v 'a[$(id)]'` runs `id`, but
 * the quotes hide it from the parser.
 */
const evaluators = new Set([
  'test',
  '[',
  'printf',
  'read',
  'unset',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'let',
  'wait',
  'mapfile',
  'readarray',
  'getopts',
]);
/** Words before a builtin, which they take as an argument. */
const prefixes = new Set(['builtin', 'command']);
const evaluated = /\$[({[]|`/u;

/** Variables that the shell itself evaluates or treats as aliases, for every program that reads them. */
const evaluatedVariables = new Set(['PS4', 'PROMPT_COMMAND', 'BASH_ALIASES', 'BASH_CMDS']);

/** Returns words that the shell would evaluate as code, as the name of a variable or in arithmetic. */
export function payloads(words: readonly Word[]): readonly Word[] {
  return words.filter((word) =>
    word.kind === 'static'
      ? hasSubscript(word.value)
      : word.kind === 'dynamic' && word.because === 'unreadable' && isHidden(word.text),
  );
}

/** For array elements, which are kept as written: a subscript within quotes, or with an escaped expansion. */
function isHidden(text: string): boolean {
  const open = text.indexOf('[');
  return open >= 0 && (/'[^'[]*\[[^']*[$`]/u.test(text) || /\\[$`]/u.test(text.slice(open)));
}

function hasSubscript(value: string): boolean {
  const open = value.indexOf('[');
  return open >= 0 && evaluated.test(value.slice(open));
}

/** Returns the commands that a builtin makes of words that do not look like commands. */
export function commandHazards({ argv, assignments }: SimpleCommand): readonly Opacity[] {
  const named = assignments
    .filter(({ name }) => evaluatedVariables.has(name))
    .map(({ name, span }) => uncovered(`the shell runs the text in \`${name}\``, span));
  const name = staticValue(argv.find((word) => !prefixes.has(staticValue(word) ?? '')));
  if (name === undefined) return named;
  if (name === 'alias' && argv.length > 1)
    return [
      ...named,
      ...argv.slice(-1).map(({ span }) => uncovered('an alias changes how the text after it is read', span)),
    ];
  return evaluators.has(name) ? [...named, ...payloads(argv).map((word) => payloadOpacity(word))] : named;
}

/**
 * Whether a command computes with values of variables: `let x`, `declare -i y=x` and all later values of `y`. Every
 * subscript counts too, `a[x]=1` as well as `read 'a[x]'`.
 */
export function calculatesWith({ argv, assignments }: SimpleCommand): boolean {
  if (
    assignments.some(
      ({ value }) => value.kind === 'dynamic' && value.because === 'unreadable' && value.text.includes('['),
    )
  )
    return true;
  const at = argv.findIndex((word) => !prefixes.has(staticValue(word) ?? ''));
  const name = staticValue(argv[at]);
  if (name === undefined || !evaluators.has(name)) return false;
  return (
    name === 'let' ||
    argv.slice(at + 1).some((word) => isSubscripted(word) || (declarers.has(name) && makesInteger(word)))
  );
}

const declarers = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

function makesInteger(word: Word): boolean {
  return word.kind === 'static' ? /^-[A-Za-z]*i/u.test(word.value) : !/^["']?\w/u.test(word.text);
}

function isSubscripted(word: Word): boolean {
  return /[A-Za-z_0-9]\[/u.test(word.kind === 'static' ? word.value : word.text);
}

export function payloadOpacity(word: Word): Opacity {
  return uncovered(
    `\`${word.kind === 'static' ? word.value : word.text}\` may be evaluated as the name of a variable, and runs a command then`,
    word.span,
  );
}

/** Returns the names of aliases that a command defines. */
export function aliases({ argv }: SimpleCommand): readonly string[] {
  if (!argv.some((word) => staticValue(word) === 'alias')) return [];
  return argv.flatMap((word) => /^([^=]+)=/u.exec(staticValue(word) ?? '')?.[1] ?? []);
}

function staticValue(word: Word | undefined): string | undefined {
  return word?.kind === 'static' && word.lead === undefined ? word.value : undefined;
}

function uncovered(message: string, span: Word['span']): Opacity {
  return { kind: 'uncovered', message, span };
}
