import { readFileSync } from 'node:fs';
import { removeDurably, type Store, writeDurably } from '../store/manifest.ts';

/** A running restore, or a killed one. */
export interface PendingRestore {
  readonly version: 1;
  /** The checkpoint to restore. */
  readonly checkpoint: string;
  /** Checkpoint of the tree before the restore. */
  readonly undo: string;
  /** Name of the directory at the top of the workspace with the prepared entries. */
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
