/**
 * A staged layer is what commands did to a workspace and nobody accepted yet: one overlay upper directory for each
 * writable root. It lives in `STATE/staged/ID/`: `layer.json`, and `0/upper`, `0/work`, `1/upper` … by root.
 */
export interface StagedLayer {
  /** Letters, digits and hyphens. */
  readonly id: string;
  /** Absolute. */
  readonly directory: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly roots: readonly StagedRoot[];
  /** Milliseconds since 1970. */
  readonly created: number;
}

export interface StagedRoot {
  /** Real path of the directory of the host that the overlay lies over. */
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
}

/**
 * One difference between a staged layer and the host as it is now. Paths are relative to the root, as bytes: names may
 * hold anything but `/` and NUL.
 */
export interface StagedChange {
  readonly root: StagedRoot;
  readonly path: Buffer;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed' | 'metadata';
  /** Of `renamed`: where it was. */
  readonly from?: Buffer;
  readonly before?: EntryFacts;
  readonly after?: EntryFacts;
  /** The host's side is newer than what the layer started from. */
  readonly conflict?: Conflict;
  /** A protected name: accepting it is refused, no matter who asks, until the user layer of the policy releases it. */
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
  /** Of a symlink. */
  readonly target?: Buffer;
}
