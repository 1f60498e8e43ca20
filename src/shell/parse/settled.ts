import type { DynamicWord, TimeSpan, Word } from '../types.ts';
import type { ParsedCommand } from './meter.ts';

/** A loop over words. */
export interface Loop {
  readonly name: string;
  readonly words: readonly Word[];
  readonly span: TimeSpan;
}

interface Found {
  readonly invocations: readonly ParsedCommand[];
  readonly loops: readonly Loop[];
  readonly defined: ReadonlySet<string>;
}

/** Commands that may give a variable another value, anywhere in the text. */
const setters: ReadonlySet<string> = new Set(
  'eval read mapfile readarray getopts declare typeset local export readonly unset let trap alias wait'.split(' '),
);

function sets({ argv: [program, ...words], argv }: ParsedCommand): boolean {
  if (program !== undefined && program.kind !== 'static') return true;
  if (
    program?.value === 'printf' &&
    (words[0]?.kind !== 'static' || words.some((word) => word.kind === 'static' && word.value.startsWith('-v')))
  )
    return true;
  return argv.some((word) => word.kind === 'static' && setters.has(word.value));
}

/** Syntax that may do so. Matches the bare text, so a mention is enough, and the cost is linear. */
const setsBySyntax = /\b(?:select|coproc|function)\b|\$\{\w*:?=|\$\{!|\bIFS\b|\+=|\w\[|\{\w+\}[<>]/u;
/** In `[[ ]]`, these compute, and a computation may assign. */
const computes = /\s-(?:eq|ne|lt|le|gt|ge|v)\s/u;

const setsOtherwise = (text: string): boolean =>
  setsBySyntax.test(text) || (text.includes('[[') && computes.test(text));

/** Variables that the shell changes itself. */
const ownVariables =
  /^(?:_|PWD|OLDPWD|RANDOM|SRANDOM|SECONDS|LINENO|REPLY|OPT\w*|BASH\w*|EPOCH\w*|FUNCNAME|HISTCMD|DIRSTACK|GROUPS|PIPESTATUS|COMP\w*|MAPFILE|E?UID|PPID|PS\d|IFS|PATH)$/u;

/**
 * Marks words such as `"$f"` and `$f/a` if they are one word and not an option for each value that the text gives to
 * `f`. Examples: `f=a.txt; sed -n 1p "$f"`, `for f in a b; do …`. If a text sets variables in any other way, all doubts
 * stay.
 */
export function settleWords(text: string, { invocations, loops, defined }: Found): readonly ParsedCommand[] {
  if (!text.includes('$') || defined.size > 0 || setsOtherwise(text) || invocations.some(sets)) return invocations;
  const variables = variablesOf(invocations, loops, /\(\(|\$\[/u.test(text) ? 'number' : 'bare');
  return invocations.map((command) =>
    command.argv.some(({ kind }) => kind === 'dynamic')
      ? { ...command, argv: command.argv.map((word) => settled(word, variables, loops)) }
      : command,
  );
}

/** The common form of all values of a variable. `bare`: they are one word even without quotes. `number`: it may be below zero. */
interface Variable {
  readonly values: 'quoted' | 'bare' | 'number' | 'unknown';
  /** The position from which it certainly has a value from the text. */
  readonly from: number;
}

/** `others`: the form of values that arithmetic may give to any variable. */
function variablesOf(
  invocations: readonly ParsedCommand[],
  loops: readonly Loop[],
  others: 'number' | 'bare',
): ReadonlyMap<string, Variable> {
  const found = new Map<string, Variable>([
    ['HOME', { values: 'quoted', from: 0 }],
    ['PWD', { values: 'quoted', from: 0 }],
  ]);
  const add = (name: string, values: Variable['values'], from: number): void => {
    const before = found.get(name);
    found.set(name, {
      values: weaker(before?.values ?? others, values),
      from: Math.min(before?.from ?? from, from),
    });
  };
  for (const command of invocations)
    for (const { name, value, span } of command.assignments)
      add(name, ownVariables.test(name) ? 'unknown' : valueOf(value), isCertain(command) ? span.end : Infinity);
  for (const { name, words } of loops)
    add(name, ownVariables.test(name) ? 'unknown' : words.map(valueOf).reduce(weaker, 'bare'), Infinity);
  return found;
}

function isCertain({ argv, place, runs, shell, relation, parent }: ParsedCommand): boolean {
  return (
    argv.length === 0 &&
    place === 'list' &&
    runs === 'always' &&
    shell === 0 &&
    relation === 'script' &&
    parent === undefined
  );
}

const strength = ['unknown', 'number', 'quoted', 'bare'] as const;

function weaker(one: Variable['values'], other: Variable['values']): Variable['values'] {
  // Together: several words, or an option.
  if ([one, other].includes('number') && [one, other].includes('quoted')) return 'unknown';
  return strength[Math.min(strength.indexOf(one), strength.indexOf(other))] ?? 'unknown';
}

/** Commands that print hashes or numbers, one per line. */
const printsSeveral =
  /^\$\((?:git rev-list(?: -\d+| -n \d+| --max-count=\d+| --reverse| --all| [\w/][\w./~^]*)*|seq(?: \d+){1,3})\)$/u;
/** Commands that print a path, a hash, a number, or nothing. */
const printsPlain =
  /^"?\$\((?:pwd|git rev-parse (?:--show-toplevel|(?:--short )?HEAD)|git rev-list -(?:n ?)?1(?: --before=(?:'[\w :-]+'|"[\w :-]+"|[\w:-]+))?(?: [\w/][\w./~^]*)*|git merge-base [\w./~^-]+ [\w./~^-]+|which [\w.-]+|command -v [\w.-]+)\)"?$/u;

const arithmetic = /^"?\$\(\([^()"'`]*(?:\([^()"'`]*\)[^()"'`]*)*\)\)"?$/u;

function valueOf(word: Word): Variable['values'] {
  switch (word.kind) {
    case 'static':
      return word.lead === undefined && !/^[\w./][\w./:@%+,=-]*$/u.test(word.value) ? 'unknown' : 'bare';
    case 'glob':
      return /^[\w./]/u.test(word.prefix) ? 'quoted' : 'unknown';
    case 'dynamic':
      if (arithmetic.test(word.text)) return 'number';
      if (printsPlain.test(word.text)) return 'quoted';
      return /^\{\w+\.\.\w+\}$/u.test(word.text) || printsSeveral.test(word.text) ? 'bare' : 'unknown';
  }
}

/** If the variable may be empty, only these words cannot become options. */
const quotedUse = /^"\$(?:(?<name>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)\})(?:"$|"?[/.:])/u;
const bareUse =
  /^(?:[\w./:=@%][\w./:=@%+-]*)?\$(?:(?<name>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)\})(?:$|[/.:][\w./:-]*$)/u;

function settled(word: Word, variables: ReadonlyMap<string, Variable>, loops: readonly Loop[]): Word {
  if (word.kind !== 'dynamic') return word;
  if (arithmetic.test(word.text)) return { ...word, starts: 'number' };
  if (printsPlain.test(word.text)) return { ...word, starts: word.text.startsWith('"') ? 'name' : 'name-alone' };
  return isNamed(word, quotedUse, { variables, loops, least: 'quoted' })
    ? { ...word, starts: 'name' }
    : isNamed(word, bareUse, { variables, loops, least: 'bare' })
      ? { ...word, starts: 'name-alone' }
      : isNamed(word, bareUse, { variables, loops, least: 'number' })
        ? { ...word, starts: 'number' }
        : word;
}

interface Around {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly loops: readonly Loop[];
  readonly least: 'quoted' | 'bare' | 'number';
}

function isNamed({ text, span }: DynamicWord, use: RegExp, { variables, loops, least }: Around): boolean {
  const groups = use.exec(text)?.groups;
  const name = groups?.['name'] ?? groups?.['braced'] ?? '';
  const variable = variables.get(name);
  if (variable === undefined || strength.indexOf(variable.values) < strength.indexOf(least)) return false;
  if (least === 'number' && variable.values !== 'number') return false;
  return (
    variable.from <= span.start ||
    loops.some((loop) => loop.name === name && loop.span.start <= span.start && span.end <= loop.span.end)
  );
}
