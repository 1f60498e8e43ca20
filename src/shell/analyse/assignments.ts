import { redirectsCode } from '../loads-code.ts';
import { shown, textOf } from '../tools/words.ts';
import type { Assignment, Effects, Word } from '../types.ts';
import { noEffects, reason, together } from './effects.ts';

/** Variables that a command sets, before its name or as a builtin does it, and that decide what code runs. */
export function assignmentEffects(assignments: readonly Assignment[], argv: readonly Word[]): Effects {
  const program = textOf(argv[0]) ?? '';
  const before = assignments.filter(({ name }) => setsCode(name) && !(name === 'IFS' && splitsOnly.has(program)));
  const set = variablesSetBy(program, argv);
  if (before.length === 0 && set.length === 0) return noEffects;
  return together([...before, ...set].map(({ name, span }) => reason('inline-code', `\`${name}\` decides what code runs`, { span })));
}

/** They use the separators for nothing but their own input. */
const splitsOnly: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray']);

function setsCode(name: string): boolean {
  return redirectsCode(name.replace(/\[.*$/su, ''));
}

/** Builtins that set the variables which their words name; `value`: only where the word has a value. */
const setters: ReadonlyMap<string, 'value' | 'name'> = new Map([
  ...['export', 'declare', 'typeset', 'local', 'readonly'].map((name) => [name, 'value'] as const),
  ...['read', 'mapfile', 'readarray', 'getopts', 'printf', 'let', 'wait'].map((name) => [name, 'name'] as const),
]);

function variablesSetBy(program: string, argv: readonly Word[]): readonly { readonly name: string; readonly span: Word['span'] }[] {
  const how = setters.get(program);
  if (how === undefined) return [];
  return argv.slice(1).flatMap((word, place) => {
    if (program === 'printf' && textOf(argv[place]) !== '-v') return [];
    const [, name = '', value] = /^['"]?([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?=)?/u.exec(shown(word)) ?? [];
    return setsCode(name) && (how === 'name' || value !== undefined) ? [{ name, span: word.span }] : [];
  });
}

/**
 * Variables that the text sets in ways which are no commands: `for PATH in`, `${PATH:=x}`. By their look, so a quoted text that
 * only speaks of them is asked about too.
 */
export function variablesSetIn(text: string): string | undefined {
  if (!/\bfor\b|\bselect\b|\$\{|\bcoproc\b|\{\w+\}/u.test(text)) return undefined;
  for (const [, loop, expansion, coprocess, descriptor] of text.matchAll(/\b(?:for|select)\s+([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)(?:\[[^\]]*\])?:?=|\bcoproc\s+([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}[<>]/gu)) {
    const name = loop ?? expansion ?? coprocess ?? descriptor ?? '';
    if (setsCode(name)) return name;
  }
  return undefined;
}
