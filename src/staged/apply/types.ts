/** What tells one entry from another, and from itself after it was written to. */
export interface EntryId {
  readonly device: bigint;
  readonly inode: bigint;
  /** As in `st_mode`: type and permissions. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: bigint;
  /** Nanoseconds. */
  readonly modified: bigint;
}

export interface Metadata {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds. */
  readonly accessed: bigint;
  readonly modified: bigint;
  readonly attributes: ReadonlyMap<string, Buffer>;
}

/**
 * One entry of the host changes hands. `put`: a staged entry takes the name. `take`: what has the name goes. `make`: an
 * empty directory takes the name. What had the name before is kept in the record.
 */
export interface Step {
  readonly kind: 'put' | 'take' | 'make';
  /** Index of the layer's root. */
  readonly root: number;
  /** Relative to the root. */
  readonly path: Buffer;
  /** What has the name on the host; absent when it is free. */
  readonly before?: EntryId;
  /** Of `put`: the staged entry. */
  readonly staged?: EntryId;
  /** The staged entry, or the host's, cannot be moved: other file system, or other names of it stay in the layer. */
  readonly way: 'move' | 'copy';
  /** Of `take`: the layer has an entry that stands for the deletion. */
  readonly whiteout: boolean;
  /** The overlay's own attributes of the staged entry, which must not reach the host. */
  readonly marks: ReadonlyMap<string, Buffer>;
  /** The host's side was newer than the layer's before anything was done. */
  readonly disputed: boolean;
}

/** A directory of the host that a step touches. */
export interface Touched {
  readonly root: number;
  readonly path: Buffer;
  /** As it was; absent for one that a step makes. */
  readonly old?: Metadata;
  /** As it is staged; absent when only its entries change. */
  readonly dressed?: Metadata;
  /** As of a step. */
  readonly disputed: boolean;
}

export interface Plan {
  /** Layer, as in `layer.json` and its place. */
  readonly layer: {
    readonly id: string;
    readonly directory: string;
    readonly workspace: string;
    readonly created: number;
  };
  readonly roots: readonly string[];
  /** Milliseconds since 1970. */
  readonly begun: number;
  /** Part of the private names beside destinations. */
  readonly nonce: string;
  /** Nothing is left in the layer afterwards. */
  readonly emptied: boolean;
  readonly steps: readonly Step[];
  readonly touched: readonly Touched[];
}
