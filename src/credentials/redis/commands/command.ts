import { type Access, commandGroups } from './table.ts';

/** A command, or a subcommand of one. */
export interface Command {
  /** Upper case; `CONTAINER|SUBCOMMAND`. */
  readonly name: string;
  readonly access: Access;
  readonly key: 'first' | 'none';
}

/** Those of the table. */
export const commands: readonly Command[] = commandGroups.flatMap(({ access, key, names }) => names.split(/\s+/u).map((name) => ({ name, access, key })));
