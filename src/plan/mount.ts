export type Mount =
  | BindMount
  | OverlayMount
  | TmpfsMount
  | ProcMount
  | DevicesMount
  | RootDirectory
  | RootSymlink
  | RootFile
  | MaskMount;

/** A file or directory of the host, mounted at `target`. */
export interface BindMount {
  readonly kind: 'bind';
  readonly source: string;
  readonly target: string;
  readonly access: 'read-only' | 'read-write';
  /**
   * `foreign` shows every owner as nobody (an idmapped mount). So a box that runs as root can read no more of the
   * system than an ordinary user. `as-root` maps the owner of the source to root, and root to that owner. So a box of
   * root can work in another user's workspace. It equals `as-is` unless another user owns the workspace and the source.
   * Only root can make such mounts. For others both equal `as-is`.
   */
  readonly ownership: 'as-is' | 'foreign' | 'as-root';
  /** The inode that was planned. The launcher refuses a source that was replaced. */
  readonly identity: FileIdentity;
  /** `optional`: the source may vanish between planning and launching, and the box still starts. */
  readonly presence: 'required' | 'optional';
  /**
   * `held`: a mount over one of its names stays when a program outside replaces the file below it. Only for a read-only
   * directory. Default: the mount goes, and Holdfast covers the new file.
   */
  readonly names?: 'held';
}

/** Numbers of the kernel's `stat`, as decimal text: they need 64 bits, and a plan is JSON. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  readonly type: 'file' | 'directory' | 'other';
}

/**
 * A host directory whose writes go elsewhere: to private memory that ends with the box (package caches), or to a layer.
 */
export interface OverlayMount {
  readonly kind: 'overlay';
  readonly lower: string;
  readonly target: string;
  readonly identity: FileIdentity;
  /** Ownership of the directory and of its layer, as for a bind. Default: `as-is`. */
  readonly ownership?: 'as-root';
  /** Keeps the writes. Default: private memory. */
  readonly layer?: OverlayLayer;
}

/** Two host directories on one file system: `upperdir` and `workdir` of overlayfs. */
export interface OverlayLayer {
  readonly upper: LayerDirectory;
  readonly work: LayerDirectory;
}

export interface LayerDirectory {
  readonly path: string;
  readonly identity: FileIdentity;
}

export interface TmpfsMount {
  readonly kind: 'tmpfs';
  readonly target: string;
  readonly mode: number;
  /** Bytes; 0 for the kernel's default of half the memory. */
  readonly size: number;
  /**
   * `late`: it belongs to one command, and is made with the files. Default: it is made at its position in the order.
   */
  readonly made?: 'late';
}

/** A new, read-only procfs of the box's own PID namespace. */
export interface ProcMount {
  readonly kind: 'proc';
  readonly target: string;
}

/** A minimal `/dev`: null zero full random urandom tty, a private devpts and shm, fd links. */
export interface DevicesMount {
  readonly kind: 'devices';
  readonly target: string;
  /** Bytes of `/dev/shm`. */
  readonly shmSize: number;
  /** `shown`: adds `/dev/kvm`, for a box that runs a virtual machine. Default: no `/dev/kvm`. */
  readonly kvm?: 'shown';
}

/** A directory of the private root itself, as a mount point. */
export interface RootDirectory {
  readonly kind: 'directory';
  readonly target: string;
  readonly mode: number;
}

export interface RootSymlink {
  readonly kind: 'symlink';
  readonly target: string;
  readonly to: string;
}

/** A file of the private root, created in memory. It never exists on the host. */
export interface RootFile {
  readonly kind: 'file';
  readonly target: string;
  readonly mode: number;
  readonly content: string;
  /** Encoding of `content`. Default: `utf8`. */
  readonly encoding?: 'utf8' | 'base64';
}

/** An existing path inside an earlier mount that the box may neither read nor write. */
export interface MaskMount {
  readonly kind: 'mask';
  readonly target: string;
  readonly type: FileIdentity['type'];
}

/** The options in the resolver file of a box. */
export const resolverOptions = 'options timeout:5 attempts:2\n';
