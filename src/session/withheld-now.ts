import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from './session.ts';
import { isWild, matchesName } from '../place/withheld-place.ts';

/**
 * A file withheld from the boxes of a session now, as far as a quick search finds it. Its path is relative to the
 * workspace.
 */
export interface WithheldNow {
  readonly path: string;
  /** `changed`: it was approved once with other content. */
  readonly state: 'new' | 'changed';
}

export function withheldNow({ place, plan, gate }: Pick<Session, 'place' | 'plan' | 'gate'>): readonly WithheldNow[] {
  const { root } = place.workspace;
  const { approved, stale } = gate.shown();
  const fresh = withheldAtRoot(root, plan.withheld).filter(
    (path) =>
      !approved.includes(`${root}/${path}`) && !stale.some((each) => each === path || each.startsWith(`${path}/`)),
  );
  return [
    ...fresh.map((path): WithheldNow => ({ path, state: 'new' })),
    ...stale.map((path): WithheldNow => ({ path, state: 'changed' })),
  ];
}

/**
 * Returns the withheld files at the top of a workspace, or one directory below if a name says so. Paths are relative.
 * The search is cheap enough for a line at the start. Deeper files are withheld as well, but not listed.
 */
export function withheldAtRoot(root: string, names: readonly (readonly string[])[]): readonly string[] {
  const entries = entriesOf(root);
  const found = names.flatMap((name) =>
    matching(entries, name[0] ?? '').flatMap((entry) =>
      name.length === 1 ? [entry] : below(root, entry, name.slice(1)),
    ),
  );
  return [...new Set(found)].filter((path) => isInside(root, path) && !isEmptyDirectory(join(root, path))).sort();
}

function below(root: string, parent: string, [next = '', ...rest]: readonly string[]): readonly string[] {
  const found = matching(entriesOf(join(root, parent)), next).map((entry) => `${parent}/${entry}`);
  return rest.length === 0 ? found : found.flatMap((entry) => below(root, entry, rest));
}

/** An empty directory has nothing to approve. */
function isEmptyDirectory(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** A link out of the workspace, or to a missing file, shows no file of it. The launcher ignores it. */
function isInside(root: string, path: string): boolean {
  try {
    const real = realpathSync.native(join(root, path));
    return real === root || real.startsWith(`${root}/`);
  } catch {
    return false;
  }
}

/** Entries by lower-case name. Several names may share a key if they differ only in ASCII case. */
type Entries = ReadonlyMap<string, readonly string[]>;

function entriesOf(directory: string): Entries {
  try {
    return Map.groupBy(readdirSync(directory), (entry) => entry.toLowerCase());
  } catch {
    return new Map();
  }
}

const none: readonly string[] = [];

function matching(entries: Entries, pattern: string): readonly string[] {
  const candidates = isWild(pattern) ? [...entries.values()].flat() : entries.get(pattern.toLowerCase());
  return candidates === undefined ? none : candidates.filter((entry) => matchesName(pattern, entry));
}
