import { readFileSync } from 'node:fs';
import { removeDurably, type Store, writeDurably } from '../store/manifest.ts';

/** A restore that is going on, or that was killed. */
export interface PendingRestore {
  readonly version: 1;
  /** The checkpoint that the tree is to become. */
  readonly checkpoint: string;
  /** What the tree was before. */
  readonly undo: string;
  /** Name of the directory at the top of the workspace that what is installed comes from. */
  readonly staging: string;
}

export function readPending({ journal }: Store): PendingRestore | undefined {
  try {
    return JSON.parse(readFileSync(journal, 'utf8')) as PendingRestore;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function writePending({ journal }: Store, pending: PendingRestore): void {
  writeDurably(journal, JSON.stringify(pending));
}

export function endPending({ journal }: Store): void {
  removeDurably(journal);
}
