import type { Mount } from '../plan/types.ts';

/** A box's part of the withheld files: read-only copies of exactly the approved bytes. */
export interface ShownFiles {
  /** Made after everything else. */
  readonly mounts: readonly Mount[];
  /** Absolute. Paths on which the launcher puts no mask. */
  readonly approved: readonly string[];
  /**
   * Files that someone approved once, relative to the workspace. They are withheld because they, or a script that they
   * name, have changed.
   */
  readonly stale: readonly string[];
}

/** The withheld files that boxes of a session get, because someone has approved them. */
export interface TrustGate {
  /**
   * For a box that starts now: recent approvals and revocations count. Throws `HF_TRUST_INVALID` for an unreliable
   * record.
   */
  shown(): ShownFiles;
}

export const nothingShown: ShownFiles = { mounts: [], approved: [], stale: [] };
