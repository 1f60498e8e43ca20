import { type CommandRow, commandSections } from '../policy/features/feature.ts';
import { features } from '../policy/features/index.ts';
import { commandRows } from '../policy/features/merge.ts';

/**
 * Every subcommand with its one-line summary, by sections. Each has its own bundle, so that `run` loads no other
 * command.
 */
export const commandTable: readonly CommandRow[] = bySection(commandRows(features));

export function bySection(rows: readonly CommandRow[]): readonly CommandRow[] {
  return commandSections.flatMap((section) => rows.filter((row) => row.section === section));
}
