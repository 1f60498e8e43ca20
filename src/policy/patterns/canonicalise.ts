import type { ToolSpec } from '../../shell/tools/types.ts';
import { canonicalArguments, toolFor } from './tools.ts';

/** The words of a command, apart from how they were spelled. */
export interface CanonicalCommand {
  readonly options: readonly CanonicalOption[];
  /** Words of subcommands included. */
  readonly operands: readonly string[];
  /** Whether every word is known to be what it is read as. */
  readonly understood: boolean;
}

export interface CanonicalOption {
  /** Every spelling; of an abbreviation every option that it may stand for. */
  readonly names: readonly string[];
  readonly value?: string;
}

/** Reads `argv`, `argv[0]` included, as words of a program by its bare name. Total. */
export type Canonicalise = (name: string, argv: readonly string[]) => CanonicalCommand;

/** By what the shell room knows of tools; a guess for those that it does not know. */
export const canonicalise: Canonicalise = (name, argv) => canonicalArguments(name, argv.slice(1));

/** Every name of each subcommand that the operands of a program begin with. */
export type Spellings = (name: string, operands: readonly string[]) => readonly (readonly string[])[];

/** `npm i` is `npm install`. */
export const subcommandSpellings: Spellings = (name, operands) => {
  const found: (readonly string[])[] = [];
  let level: ToolSpec | undefined = toolFor(name);
  for (const operand of operands) {
    level = level?.subcommands?.find(({ names }) => names.includes(operand));
    if (level === undefined) break;
    found.push(level.names);
  }
  return found;
};
