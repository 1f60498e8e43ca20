import { appendEvents } from '../../audit/index.ts';
import type { Checkpoints } from '../checkpoints.ts';
import type { Restored } from '../restore/restore.ts';
import type { Checkpoint } from '../types.ts';

/** The checkpoints of one workspace, and the journal for their events. */
export interface CheckpointGround {
  readonly checkpoints: Checkpoints;
  readonly journal: string;
  /** Real path. */
  readonly workspace: string;
}

export function createJournalled({ checkpoints, journal, workspace }: CheckpointGround, name = ''): Checkpoint {
  const made = checkpoints.create(name);
  const { id, entries, bytes } = made.summary;
  appendEvents(journal, [{ type: 'checkpoint.create', workspace, checkpoint: id, name, entries, bytes }]);
  return made;
}

export function restoreCheckpoint({ checkpoints, journal, workspace }: CheckpointGround, id: string): Restored {
  const restored = checkpoints.restore(id);
  const { undo, written, removed, skipped } = restored;
  appendEvents(journal, [
    {
      type: 'checkpoint.restore',
      workspace,
      checkpoint: id,
      ...(undo === undefined ? {} : { undo }),
      written,
      removed,
      skipped: skipped.length,
    },
  ]);
  return restored;
}

export function removeCheckpoint({ checkpoints, journal, workspace }: CheckpointGround, id: string): void {
  checkpoints.remove(id);
  appendEvents(journal, [{ type: 'checkpoint.remove', workspace, checkpoint: id }]);
}
