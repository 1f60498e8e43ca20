import { createNameIndex, type NameIndex } from './name-index.ts';
import type { Permission } from './permissions.ts';

/** What stands under a first name: a command, or a container of subcommands, or both, as `COMMAND` is. */
export interface Named {
  readonly permission?: Permission;
  readonly subcommands?: NameIndex<Permission>;
}

/** By first names. */
export function createCommandFinder(known: readonly Permission[]): NameIndex<Named> {
  const own = new Map<string, Permission>();
  const below = new Map<string, Map<string, Permission>>();
  for (const permission of known) {
    const [first = '', second] = permission.command.name.split('|');
    if (second === undefined) own.set(first, permission);
    else below.set(first, (below.get(first) ?? new Map<string, Permission>()).set(second, permission));
  }
  const named = new Map<string, Named>();
  for (const name of new Set([...own.keys(), ...below.keys()])) {
    const permission = own.get(name);
    const subcommands = below.get(name);
    named.set(name, { ...(permission !== undefined && { permission }), ...(subcommands !== undefined && { subcommands: createNameIndex(subcommands) }) });
  }
  return createNameIndex(named);
}
