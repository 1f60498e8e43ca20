import type { Mount } from '../plan/types.ts';

/** A box's part of the withheld files: read-only copies of exactly the approved bytes. */
export interface ShownFiles {
  /** Mounts made after all others. */
  readonly mounts: readonly Mount[];
  /** Absolute paths that the launcher does not mask. */
  readonly approved: readonly string[];
  /**
   * Files that were approved once, relative to the workspace. They are withheld because they, or a script that they
   * name, have changed.
   */
  readonly stale: readonly string[];
}

/** Gives the boxes of a session those withheld files that someone has approved. */
export interface TrustGate {
  /**
   * For a box that starts now, so recent approvals and revocations count. Throws `HF_TRUST_INVALID` for an unreliable
   * record.
   */
  shown(): ShownFiles;
}

export const nothingShown: ShownFiles = { mounts: [], approved: [], stale: [] };
