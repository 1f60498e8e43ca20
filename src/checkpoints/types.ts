/**
 * One entry of a checkpoint. Paths, names and targets are bytes written as Latin-1 text, one character a byte, because
 * names need not be UTF-8. The root of the workspace has the path `''`.
 */
export type Entry = FileEntry | DirectoryEntry | SymlinkEntry | FifoEntry;

interface Common {
  /** Relative to the workspace. */
  readonly path: string;
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds since 1970. */
  readonly modified: bigint;
  /** Extended attributes, in base64. */
  readonly attributes: Readonly<Record<string, string>>;
  /**
   * What the entry was on the disk: equal ones are hard links of one file, and an unchanged one need not be read again.
   */
  readonly device: bigint;
  readonly inode: bigint;
  /** Nanoseconds since 1970; no program can set it. */
  readonly changed: bigint;
}

export interface FileEntry extends Common {
  readonly kind: 'file';
  readonly size: number;
  /** SHA-256 of the content in hexadecimal, which is its name in the store. */
  readonly object: string;
}

export interface DirectoryEntry extends Common {
  readonly kind: 'directory';
}

export interface SymlinkEntry extends Common {
  readonly kind: 'symlink';
  readonly target: string;
}

export interface FifoEntry extends Common {
  readonly kind: 'fifo';
}

/** What is in the workspace and not in the checkpoint, or not for certain. */
export interface LeftOut {
  readonly path: string;
  readonly reason: 'socket' | 'device' | 'other-file-system' | 'state-of-holdfast' | 'changed-while-read';
}

export interface CheckpointSummary {
  /** Letters, digits and hyphens; sorts by time. */
  readonly id: string;
  readonly name: string;
  /** `automatic`: made before a restore, so that it can be undone. */
  readonly origin: 'user' | 'automatic';
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly entries: number;
  /** Of all files. */
  readonly bytes: number;
}

export interface Checkpoint {
  readonly summary: CheckpointSummary;
  /** Directories come before what lies in them. */
  readonly entries: readonly Entry[];
  readonly leftOut: readonly LeftOut[];
}
