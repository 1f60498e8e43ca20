import type { Mount } from '../plan/types.ts';

/** What of the withheld files a box gets: read-only copies of exactly the bytes that were approved. */
export interface ShownFiles {
  /** Made after everything else. */
  readonly mounts: readonly Mount[];
  /** Absolute. Paths on which the launcher puts no mask. */
  readonly approved: readonly string[];
  /**
   * Relative to the workspace: what was approved once, and is withheld because it, or a script that it names, is
   * another now.
   */
  readonly stale: readonly string[];
}

/** What boxes of a session get of the files that are withheld until someone has approved them. */
export interface TrustGate {
  /**
   * For a box that starts now: what was approved or revoked meanwhile counts. Throws `HF_TRUST_INVALID` for a record
   * that cannot be relied upon.
   */
  shown(): ShownFiles;
}

export const nothingShown: ShownFiles = { mounts: [], approved: [], stale: [] };
