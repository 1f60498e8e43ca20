/**
 * A staged layer holds unaccepted changes of commands to a workspace: one overlay upper directory for each writable
 * root. It is in `STATE/staged/ID/`: `layer.json`, and `0/upper`, `0/work`, `1/upper` … by root.
 */
export interface StagedLayer {
  /** Letters, digits and hyphens. */
  readonly id: string;
  /** Absolute path. */
  readonly directory: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly roots: readonly StagedRoot[];
  /** Milliseconds since 1970. */
  readonly created: number;
  /**
   * Milliseconds since 1970 at which a copy of the workspace left this machine. The layer holds the changes of the
   * copy. Later changes of the host are conflicts. Undefined: each entry was taken over at its birth time.
   */
  readonly taken?: number;
}

export interface StagedRoot {
  /** Real path of the host's directory under the overlay. */
  readonly root: string;
  readonly upper: string;
  readonly work: string;
}

/** Content of `layer.json`. */
export interface LayerFile {
  readonly version: 1;
  readonly workspace: string;
  readonly roots: readonly string[];
  readonly created: number;
  readonly taken?: number;
}

/**
 * One difference between a staged layer and the host as it is now. Paths are relative to the root, as bytes: names may
 * contain any byte except `/` and NUL.
 */
export interface StagedChange {
  readonly root: StagedRoot;
  readonly path: Buffer;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed' | 'metadata';
  /** Old path of a `renamed` entry. */
  readonly from?: Buffer;
  readonly before?: EntryFacts;
  readonly after?: EntryFacts;
  /** The host's side is newer than the layer's starting point. */
  readonly conflict?: Conflict;
  /** Set for a protected name. Nobody can accept it until the user's policy releases it. */
  readonly refusal?: { readonly rule: string; readonly reason: string };
}

export interface Conflict {
  readonly reason: 'changed-on-host' | 'appeared-on-host' | 'gone-from-host';
}

export interface EntryFacts {
  readonly type: 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'device';
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds. */
  readonly modified: bigint;
  readonly links: number;
  readonly device: bigint;
  readonly inode: bigint;
  /** Target of a symlink. */
  readonly target?: Buffer;
}
