import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { closeRecord, pruneRecords } from './record.ts';
import type { Plan } from './types.ts';

/** What is left to do when an accept is on the disk. May be cut short and begun again. */
export function finish(plan: Plan, { state, record }: { readonly state: string; readonly record: string }): void {
  // The record keeps a layer in which nothing is left, so that undo finds it as it was.
  if (plan.emptied && existsSync(plan.layer.directory)) renameSync(plan.layer.directory, join(record, 'layer'));
  closeRecord(record, plan);
  pruneRecords(state, plan.layer.workspace);
}
