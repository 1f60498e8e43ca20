import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { damaged, readJournal } from './journal.ts';
import { closeRecord, journalName, openRecords, pruneRecords, removeRecord, withRecordLock } from './record.ts';
import type { Pace } from './scene.ts';
import type { Plan } from './types.ts';
import { unmake } from './unmake.ts';

/** What became of an accept or undo that was cut short. */
export interface Recovered {
  readonly layer: string;
  readonly workspace: string;
  /**
   * `rolled-back`: the accept was not complete, and all of it is staged again. `completed`: it was. `undone`: so is the
   * undo.
   */
  readonly outcome: 'rolled-back' | 'completed' | 'undone';
  /** Absolute paths that somebody changed meanwhile, which were left as they are. */
  readonly conflicts: readonly string[];
  /** Directory that still holds what belongs to `conflicts`. */
  readonly kept?: string;
}

/**
 * Ends what a killed process left half done. Accepts that another process is at work on are left to it. Throws
 * `HF_STAGED_INVALID` for a damaged journal, which it leaves as it is, and `HF_STAGED_BUSY` when a command uses the
 * layer.
 */
export function recoverAccepts(state: string, pace: Pace = () => {}): readonly Recovered[] {
  return openRecords(state).flatMap((record) => withRecordLock(record, () => recover(state, record, pace)) ?? []);
}

function recover(state: string, record: string, pace: Pace): readonly Recovered[] {
  const file = join(record, journalName);
  // Another process ended it between our look and our lock.
  if (!existsSync(file)) return dropUnbegun(record);
  const { plan, mark } = readJournal(file);
  if (mark === undefined) {
    if (!isEmpty(record)) throw damaged(file, 'its plan is cut short, although something was done');
    return dropUnbegun(record);
  }
  const { id: layer, workspace } = plan.layer;
  if (mark === 'commit') {
    finish(plan, { state, record });
    return [{ layer, workspace, outcome: 'completed', conflicts: [] }];
  }
  const { conflicts } = unmake(plan, { state, record, pace });
  return [
    {
      layer,
      workspace,
      outcome: mark === 'undo' ? 'undone' : 'rolled-back',
      conflicts,
      ...(conflicts.length === 0 ? {} : { kept: record }),
    },
  ];
}

function dropUnbegun(record: string): readonly Recovered[] {
  if (existsSync(record) && isEmpty(record) && !existsSync(join(record, 'summary.json'))) removeRecord(record);
  return [];
}

function isEmpty(record: string): boolean {
  return ['host', 'staged'].every(
    (name) => !existsSync(join(record, name)) || readdirSync(join(record, name)).length === 0,
  );
}

/** What is left to do when an accept is on the disk. May be cut short and begun again. */
export function finish(plan: Plan, { state, record }: { readonly state: string; readonly record: string }): void {
  // The record keeps a layer in which nothing is left, so that undo finds it as it was.
  if (plan.emptied && existsSync(plan.layer.directory)) renameSync(plan.layer.directory, join(record, 'layer'));
  closeRecord(record, plan);
  pruneRecords(state, plan.layer.workspace);
}
