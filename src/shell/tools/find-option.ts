import type { OptionSpec, ToolSpec } from './types.ts';

export interface FoundOption {
  readonly option: OptionSpec;
  readonly spelled: string;
  /** The text after the `=`, or after the name for names such as `-D*`. */
  readonly attached?: string;
}

/** Returns the option that a whole word such as `--name=value` spells out. Does not find abbreviations. */
export function findOption(spec: ToolSpec, word: string): FoundOption | undefined {
  const equals = word.indexOf('=');
  const spelled = equals === -1 ? word : word.slice(0, equals);
  const exact = spec.options.find(({ names }) => names.some((name) => isSame(name, spelled, spec.grammar)));
  if (exact !== undefined)
    return equals === -1 ? { option: exact, spelled } : { option: exact, spelled, attached: word.slice(equals + 1) };
  return spec.grammar.startsWith('long') ? prefixOption(spec, word) : undefined;
}

/** Programs of the grammar `long` treat `-name` and `--name` alike. */
function isSame(name: string, spelled: string, grammar: ToolSpec['grammar']): boolean {
  if (name === spelled) return true;
  return grammar.startsWith('long') && (`-${name}` === spelled || name === `-${spelled}`);
}

function prefixOption(spec: ToolSpec, word: string): FoundOption | undefined {
  for (const option of spec.options) {
    const name = option.names.find((each) => each.endsWith('*') && word.startsWith(each.slice(0, -1)));
    if (name !== undefined) return { option, spelled: name.slice(0, -1), attached: word.slice(name.length - 1) };
  }
  return undefined;
}

/**
 * Returns every long option that the word abbreviates. Programs accept any prefix that is unique among their options.
 */
export function abbreviated(spec: ToolSpec, word: string): readonly OptionSpec[] {
  const name = word.split('=', 1)[0] ?? word;
  if (!/^--?[^-]/u.test(name) || (!spec.grammar.startsWith('long') && !name.startsWith('--'))) return [];
  return spec.options.filter(({ names }) => names.some((each) => each.length > 2 && each.startsWith(name)));
}
