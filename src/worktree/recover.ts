import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../kernel/index.ts';
import { listWorktrees } from './list.ts';
import { isBusy, isId, readMarker, type Worktree } from './marker.ts';
import { clearAway } from './remove.ts';

/** Clears away what killed processes left half made or half removed, and gives their names. What carries no marker stays. */
export function recoverWorktrees(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const unfinished = listWorktrees(directory).filter(({ condition }) => condition === 'unfinished');
  for (const worktree of unfinished) clearAway(directory, worktree);
  return [...unfinished.map(({ id }) => id), ...drafts(directory)];
}

const draftPrefix = '.making-';

/** Directories that had not got their name yet hold a marker and nothing else. */
function drafts(directory: string): readonly string[] {
  const left = readdirSync(directory).filter((name) => name.startsWith(draftPrefix) && isId(name.slice(draftPrefix.length)));
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

