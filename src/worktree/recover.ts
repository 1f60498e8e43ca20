import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../kernel/index.ts';
import { isBusy, isId, readMarker, readWorktree, treeOf, type Worktree } from './marker.ts';
import { clearAway } from './remove.ts';

/**
 * Clears away what killed processes left half made or half removed, and gives their names. What carries no marker
 * stays.
 */
export function recoverWorktrees(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const unfinished = listWorktrees(directory).filter(({ condition }) => condition === 'unfinished');
  for (const worktree of unfinished) clearAway(directory, worktree);
  return [...unfinished.map(({ id }) => id), ...drafts(directory)];
}

const draftPrefix = '.making-';

/** Directories that had not got their name yet hold a marker and nothing else. */
function drafts(directory: string): readonly string[] {
  const left = readdirSync(directory).filter(
    (name) => name.startsWith(draftPrefix) && isId(name.slice(draftPrefix.length)),
  );
  return left.flatMap((name) => {
    const worktree = markerIn(join(directory, name));
    if (worktree === undefined || isBusy(worktree)) return [];
    removeTree(join(directory, name));
    return [worktree.id];
  });
}

function markerIn(directory: string): Worktree | undefined {
  try {
    return readMarker(directory);
  } catch {
    return undefined;
  }
}

export interface ListedWorktree extends Worktree {
  readonly path: string;
  /** `unfinished`: its process was killed while it made or removed it. */
  readonly condition: 'ready' | 'busy' | 'unfinished';
}

/** What carries our marker, oldest first. Anything else in the directory is passed over. */
export function listWorktrees(directory: string): readonly ListedWorktree[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter(isId)
    .flatMap((id): ListedWorktree[] => {
      const worktree = readable(directory, id);
      return worktree === undefined
        ? []
        : [
            {
              ...worktree,
              path: treeOf(directory, id),
              condition: worktree.state === 'ready' ? 'ready' : isBusy(worktree) ? 'busy' : 'unfinished',
            },
          ];
    })
    .toSorted((a, b) => (a.made < b.made ? -1 : a.made > b.made ? 1 : 0));
}

function readable(directory: string, id: string): Worktree | undefined {
  try {
    return readWorktree(directory, id);
  } catch {
    return undefined;
  }
}
