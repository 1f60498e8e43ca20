import { isHarmlessSetting, redirectsCode } from '../loads-code.ts';
import type { ParseBudget, Script } from '../parse/meter.ts';
import { wordAsTyped, plainText } from '../tools/words.ts';
import type { Assignment, Effects, Opacity, Word } from '../types.ts';
import type { Language } from './command.ts';
import { noEffects, reason, mergedEffects } from './builtins.ts';

/**
 * The input of an analysis. `argv`: a command that no shell parses. `script`: a text for a shell. `parsed`: commands
 * that the shell itself reported, which is how PowerShell is read.
 */
export type StandardInput =
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'script'; readonly text: string; readonly shell: ShellName }
  | { readonly kind: 'parsed'; readonly script: Script };

export type ShellName = 'bash' | 'sh' | 'zsh' | 'cmd' | 'powershell' | 'fish' | 'unknown';

export interface AnalyseOptions {
  /** Absolute path inside the box. */
  readonly cwd: string;
  readonly home: string;
  readonly budget?: Partial<ParseBudget>;
  /**
   * Returns PowerShell's report of a text. Undefined if it was not asked. PowerShell runs elsewhere: the caller
   * collects these texts in a first analysis, and answers in a second one. Default: PowerShell texts are opaque.
   */
  readonly powershell?: (text: string) => Script | undefined;
}

/** Returns how a text for this shell is parsed. Undefined if no parser exists. */
export function languageOf(shell: ShellName): Language | undefined {
  switch (shell) {
    case 'bash':
    case 'powershell':
      return shell;
    case 'sh':
      return 'posix';
    case 'zsh':
    case 'cmd':
    case 'fish':
    case 'unknown':
      return undefined;
  }
}

/** The script of a text on which PowerShell was not asked. */
export function notTold(text: string): Script {
  const opaque: Opacity = {
    kind: 'shell',
    message: 'the language of PowerShell is read by PowerShell only',
    span: { start: 0, end: text.length },
  };
  return { invocations: [], defined: new Set(), opaque: [opaque], shells: [undefined] };
}

/** Reasons about a text as a whole, in addition to the parser's. */
export function doubtsOf(text: string): readonly Omit<Opacity, 'span'>[] {
  const variable = variablesSetIn(text);
  return variable === undefined ? [] : [{ kind: 'inline-code', message: `\`${variable}\` selects the code that runs` }];
}

/** Variables that decide which code runs, set before a command's name or by a builtin. */
export function assignmentEffects(assignments: readonly Assignment[], argv: readonly Word[]): Effects {
  const program = plainText(argv[0]) ?? '';
  const before = assignments.filter(
    ({ name, value }) =>
      setsCode(name) &&
      !(
        name === 'IFS' &&
        (splitsOnly.has(program) || (argv.length === 0 && separators.test(plainText(value) ?? '$')))
      ) &&
      !isHarmlessSetting(name, plainText(value)),
  );
  const set = variablesSetBy(program, argv);
  if (before.length === 0 && set.length === 0) return noEffects;
  return mergedEffects(
    [...before, ...set].map(({ name, span }) =>
      reason('inline-code', `\`${name}\` selects the code that runs`, { span }),
    ),
  );
}

/** These builtins use the separators only for their own input. */
const splitsOnly: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray']);

/** A letter, a digit or a dash could cut words into others. */
const separators = /^[\s,:;|]*$/u;

function setsCode(name: string): boolean {
  return redirectsCode(name.replace(/\[.*$/su, ''));
}

/** Builtins that set the variables named by their words. `value`: only if the word has a value. */
const setters: ReadonlyMap<string, 'value' | 'name'> = new Map([
  ...['export', 'declare', 'typeset', 'local', 'readonly'].map((name) => [name, 'value'] as const),
  ...['read', 'mapfile', 'readarray', 'getopts', 'printf', 'let', 'wait'].map((name) => [name, 'name'] as const),
]);

function variablesSetBy(program: string, argv: readonly Word[]): readonly SetVariable[] {
  const how = setters.get(program);
  // Without a search path, a bare name is a file of the working directory.
  if (program === 'unset') return searchPaths(argv);
  if (namers.has(program) && argv.some((word) => /^-[A-Za-z]*n/u.test(wordAsTyped(word)))) return aliasesOf(argv);
  if (how === undefined) return [];
  return argv.slice(1).flatMap((word, place) => {
    const attached = program === 'printf' ? /^-v(.+)$/su.exec(plainText(word) ?? '')?.[1] : undefined;
    if (program === 'printf' && attached === undefined && plainText(argv[place]) !== '-v') return [];
    const text = attached ?? wordAsTyped(word);
    const [, name = '', value] = /^['"]?([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?=)?/u.exec(text) ?? [];
    return setsCode(name) && (how === 'name' || value !== undefined) ? [{ name, span: word.span }] : [];
  });
}

interface SetVariable {
  readonly name: string;
  readonly span: Word['span'];
}

const namers: ReadonlySet<string> = new Set(['declare', 'typeset', 'local']);

function searchPaths(argv: readonly Word[]): readonly SetVariable[] {
  return argv.slice(1).flatMap((word) => (wordAsTyped(word) === 'PATH' ? [{ name: 'PATH', span: word.span }] : []));
}

/** `declare -n x=PATH` makes `x=.` set PATH. Unless a plain name follows, any later text may be that name. */
function aliasesOf(argv: readonly Word[]): readonly SetVariable[] {
  return argv.slice(1).flatMap((word) => {
    const text = wordAsTyped(word);
    if (/^[-+]/u.test(text)) return [];
    const target = /^\w+=([A-Za-z_]\w*)$/u.exec(text)?.[1];
    if (target !== undefined && word.kind === 'static' && !setsCode(target)) return [];
    return [{ name: target ?? text, span: word.span }];
  });
}

/** Arithmetic, subscripts and substring offsets also assign variables, even through the text in a variable. */
const computing = /\(\(|\$\[|\[\[|\w\[|\$\{\w+:[^-=+?]/u;
const computed =
  /(?<!\w)([A-Za-z_]\w*)(?!\w)(?=(?:\[[^\]]{0,64}\])?\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?![=~])|\+\+|--))|(?:\+\+|--)\s*([A-Za-z_]\w*)/gu;

function variableComputedIn(text: string): string | undefined {
  if (!computing.test(text)) return undefined;
  for (const { 1: assigned = '', 2: stepped = assigned, index } of text.matchAll(computed))
    if (setsCode(stepped) && !(stepped === 'IFS' && isSeparator(text, index))) return stepped;
  return undefined;
}

/** `IFS=,` or `IFS= ` at the beginning of a command, where nothing calculates. */
function isSeparator(text: string, at: number): boolean {
  return (
    /^IFS=(?:\$?'(?:[\s,:;|]|\\[nt])*'|"[\s,:;|]*"|[,:]?)(?:[\s;]|$)/u.test(text.slice(at, at + 40)) &&
    /(?:^|[;\n|&{]|\b(?:while|until|do|then|if|else))\s*$/u.test(text.slice(Math.max(at - 40, 0), at))
  );
}

/**
 * Returns a variable that the text sets without a command: `for PATH in`, `${PATH:=x}`. Matches the bare text, so a
 * quoted mention is also asked about.
 */
export function variablesSetIn(text: string): string | undefined {
  const counted = variableComputedIn(text);
  if (counted !== undefined) return counted;
  if (!/\bfor\b|\bselect\b|\$\{|\bcoproc\b|\{\w+\}/u.test(text)) return undefined;
  for (const [, loop, expansion, coprocess, descriptor] of text.matchAll(
    /\b(?:for|select)\s+([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)(?:\[[^\]]*\])?:?=|\bcoproc\s+([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}[<>]/gu,
  )) {
    const name = loop ?? expansion ?? coprocess ?? descriptor ?? '';
    if (setsCode(name)) return name;
  }
  return undefined;
}
