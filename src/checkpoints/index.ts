/**
 * The checkpoints room: saves a live workspace with everything in it, and restores it.
 *
 * Contents are stored once, by their SHA-256, beside a manifest for each checkpoint. The room runs outside the box with
 * the user's own rights, perhaps while a box works in the same tree. It opens every path from the workspace's
 * descriptor, follows no symlink, and never leaves the workspace. The room knows no policy.
 */
export { type CheckpointOptions, Checkpoints, type Comparison, type ShownDifference } from './checkpoints.ts';
export type { Difference } from './types.ts';
export type { PendingRestore } from './restore/journal.ts';
export type { Restored } from './restore/restore.ts';
export type { Checkpoint, CheckpointSummary, CheckpointEntry, CheckpointLeftOut } from './types.ts';
