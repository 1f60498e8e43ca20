import type { ToolSpec } from '../../shell/tools/types.ts';
import type { Canonicalise } from './canonical-command.ts';
import { canonicalArguments, toolFor } from './tools.ts';

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
