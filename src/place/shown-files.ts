import type { Mount, RootFile } from '../plan/mount.ts';
import type { FileStamp } from './git-config/stamp.ts';

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

/** Files of configuration, of which boxes get copies where they have secrets. */
export interface ConfigurationCopies {
  /** Those that a box would see as they are, and the directories that say which there are. */
  readonly looked: readonly FileStamp[];
  /** Files that a command may leave changed, and that act later. */
  readonly traces: readonly string[];
  readonly copies: readonly ConfigurationCopy[];
}

export interface ConfigurationCopy {
  /** The file without its secrets. */
  readonly mount: RootFile;
  /** The file and the settings, for a person. */
  readonly label: string;
}
