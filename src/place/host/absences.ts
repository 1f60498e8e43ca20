import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statsAt } from './path-facts.ts';

/** Names that do not exist in a directory. */
export interface Absence {
  readonly directory: string;
  readonly names: readonly string[];
}

/**
 * Describes missing paths as names that their nearest existing directories do not have. Most grants of a policy are
 * about missing paths, and listing a directory once costs less than hundreds of look-ups.
 */
export function absencesOf(missing: readonly string[]): readonly Absence[] {
  const names = new Map<string, Set<string>>();
  for (const path of missing) {
    const { directory, name } = firstMissing(path);
    names.set(directory, (names.get(directory) ?? new Set()).add(name));
  }
  return [...names].map(([directory, set]) => ({ directory, names: [...set].sort() }));
}

/** Whether all paths are still missing. In a directory that cannot be listed, checks each name. */
export function holdAbsences(absences: readonly Absence[]): boolean {
  return absences.every(({ directory, names }) => {
    const present = listing(directory);
    return names.every((name) =>
      present === undefined ? statsAt(join(directory, name)) === undefined : !present.has(name),
    );
  });
}

function firstMissing(path: string): { readonly directory: string; readonly name: string } {
  let missing = path;
  while (dirname(missing) !== missing && !existsSync(dirname(missing))) missing = dirname(missing);
  return { directory: dirname(missing), name: missing.slice(missing.lastIndexOf('/') + 1) };
}

function listing(directory: string): ReadonlySet<string> | undefined {
  try {
    return new Set(readdirSync(directory));
  } catch {
    return undefined;
  }
}
