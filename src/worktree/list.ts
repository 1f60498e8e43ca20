import { existsSync, readdirSync } from 'node:fs';
import { isBusy, isId, readWorktree, treeOf, type Worktree } from './marker.ts';

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
      return worktree === undefined ? [] : [{ ...worktree, path: treeOf(directory, id), condition: worktree.state === 'ready' ? 'ready' : isBusy(worktree) ? 'busy' : 'unfinished' }];
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
