/**
 * Operations of the files worker, as data. Paths are as the box sees them. Text is UTF-8; other names are bytes. Times
 * are nanoseconds since 1970; sizes and offsets are bytes. Each operation is one or a few system calls of the worker,
 * which the kernel judges. Nothing here checks them first.
 */
export type FilePath = string | Uint8Array;

export type FileOperation =
  | ReadOperation
  | WriteOperation
  | OpenOperation
  | ReadAtOperation
  | WriteAtOperation
  | CloseOperation
  | ListOperation
  | StatOperation
  | MakeDirectoryOperation
  | CopyOperation
  | RenameOperation
  | LinkOperation
  | SymlinkOperation
  | PathOperation
  | TruncateOperation
  | TimesOperation
  | OwnerOperation
  | ModeOperation
  | RemoveOperation
  | TemporaryOperation
  | AccessOperation
  | WatchOperation
  | UnwatchOperation;

/** Reads up to `length` bytes (at most `largestPayload`) from `offset`. Answered with `data`. */
export interface ReadOperation {
  readonly kind: 'read';
  readonly path: FilePath;
  readonly offset: number;
  readonly length: number;
}

/** Writes the whole content, at most `largestPayload`. Use `open` and `writeAt` for more. Answered with `done`. */
export interface WriteOperation {
  readonly kind: 'write';
  readonly path: FilePath;
  readonly data: Uint8Array;
  /** Flags of `open(2)` without the access mode, such as `O_CREAT | O_TRUNC`. */
  readonly flags: number;
  /** Permissions of a new file, before the umask. */
  readonly mode: number;
  readonly parents: Parents;
  /** `atomic`: a new file replaces the old one and keeps its mode. `in-place` keeps hard links. */
  readonly replace: 'in-place' | 'atomic';
}

/** `make`: makes missing parent directories, as `mkdir -p` does. */
export type Parents = 'require' | 'make';

/** Answered with `opened`. `replace: 'atomic'` takes effect at `close` with `keep`. */
export interface OpenOperation {
  readonly kind: 'open';
  readonly path: FilePath;
  /** As in `open(2)`. */
  readonly flags: number;
  readonly mode: number;
  readonly parents: Parents;
  readonly replace: 'in-place' | 'atomic';
}

export interface ReadAtOperation {
  readonly kind: 'readAt';
  readonly handle: number;
  readonly offset: number;
  readonly length: number;
}

export interface WriteAtOperation {
  readonly kind: 'writeAt';
  readonly handle: number;
  /** -1: at the end. */
  readonly offset: number;
  readonly data: Uint8Array;
}

export interface CloseOperation {
  readonly kind: 'close';
  readonly handle: number;
  /** `drop` discards an atomic replacement. `sync` waits for the disk first. */
  readonly how: 'keep' | 'drop' | 'sync';
}

/** Lists one directory. Answered with `entries`. If `more` is not 0, another `list` with it as `from` continues. */
export interface ListOperation {
  readonly kind: 'list';
  readonly path: FilePath;
  readonly from: number;
  /** `names` is quicker. `stat` adds the result of `lstat` for each. */
  readonly detail: 'names' | 'stat';
}

export interface StatOperation {
  readonly kind: 'stat';
  readonly path: FilePath;
  readonly symlink: 'follow' | 'itself';
}

export interface MakeDirectoryOperation {
  readonly kind: 'makeDirectory';
  readonly path: FilePath;
  readonly mode: number;
  /** With `make`, an existing directory is fine. */
  readonly parents: Parents;
}

/** Copies a file, a symlink or a whole tree. Uses reflinks if the file system has them; holes stay holes. */
export interface CopyOperation {
  readonly kind: 'copy';
  readonly from: FilePath;
  readonly to: FilePath;
  readonly tree: 'whole' | 'single';
  readonly existing: 'replace' | 'keep' | 'refuse';
  /** `all`: modification times, modes and extended attributes. `mode`: only modes. */
  readonly preserve: 'all' | 'mode';
  readonly symlink: 'follow' | 'itself';
}

export interface RenameOperation {
  readonly kind: 'rename';
  readonly from: FilePath;
  readonly to: FilePath;
  readonly existing: 'replace' | 'refuse' | 'exchange';
}

export interface LinkOperation {
  readonly kind: 'link';
  readonly from: FilePath;
  readonly to: FilePath;
}

export interface SymlinkOperation {
  readonly kind: 'symlink';
  /** Target of the link. */
  readonly text: FilePath;
  readonly path: FilePath;
}

/** Answered with `path`. */
export interface PathOperation {
  readonly kind: 'readlink' | 'realpath';
  readonly path: FilePath;
}

export interface TruncateOperation {
  readonly kind: 'truncate';
  readonly path: FilePath;
  readonly length: number;
}

export interface TimesOperation {
  readonly kind: 'times';
  readonly path: FilePath;
  readonly accessed: FileTime;
  readonly modified: FileTime;
  readonly symlink: 'follow' | 'itself';
}

export type FileTime = bigint | 'now' | 'leave';

export interface OwnerOperation {
  readonly kind: 'owner';
  readonly path: FilePath;
  /** -1 leaves it unchanged. */
  readonly uid: number;
  readonly gid: number;
  readonly symlink: 'follow' | 'itself';
}

export interface ModeOperation {
  readonly kind: 'mode';
  readonly path: FilePath;
  readonly mode: number;
}

export interface RemoveOperation {
  readonly kind: 'remove';
  readonly path: FilePath;
  readonly tree: 'whole' | 'single';
  readonly missing: 'refuse' | 'ignore';
}

/** Makes a file or directory with a random name. Answered with `path`. */
export interface TemporaryOperation {
  readonly kind: 'temporary';
  readonly type: 'file' | 'directory';
  readonly directory: FilePath;
  readonly prefix: string;
  readonly suffix: string;
}

/** `access(2)` with `mode` of `R_OK`, `W_OK`, `X_OK`. 0 asks whether it exists. */
export interface AccessOperation {
  readonly kind: 'access';
  readonly path: FilePath;
  readonly mode: number;
}

/** Answered with `opened`. Events have its `handle` until `unwatch`. */
export interface WatchOperation {
  readonly kind: 'watch';
  readonly path: FilePath;
  readonly depth: 'directory' | 'tree';
}

export interface UnwatchOperation {
  readonly kind: 'unwatch';
  readonly handle: number;
}

/** Result of one operation of a request. */
export type FileResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'data'; readonly data: Uint8Array /** Size when the file was opened. */; readonly size: number }
  | { readonly kind: 'opened'; readonly handle: number }
  | { readonly kind: 'written'; readonly length: number }
  | { readonly kind: 'path'; readonly path: Uint8Array }
  | { readonly kind: 'stat'; readonly stat: FileStat }
  | { readonly kind: 'entries'; readonly entries: readonly FileEntry[]; readonly more: number }
  | {
      readonly kind: 'failed';
      readonly errno: number;
      readonly syscall: string /** Place of the failure in a tree. */;
      readonly path: Uint8Array;
    };

export interface FileStat {
  readonly type: FileType;
  readonly mode: number;
  readonly size: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
  readonly blocks: bigint;
  readonly blockSize: number;
  readonly specialDevice: bigint;
  readonly accessed: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
  /** 0 if the file system does not record it. */
  readonly born: bigint;
}

export type FileType =
  | 'file'
  | 'directory'
  | 'symlink'
  | 'fifo'
  | 'socket'
  | 'character-device'
  | 'block-device'
  | 'unknown';

export interface FileEntry {
  readonly name: Uint8Array;
  readonly type: FileType;
  /** Set with `detail: 'stat'`, unless the file is gone meanwhile. */
  readonly stat?: FileStat;
}

/** Event that the worker sends without a request. */
export interface WatchEvent {
  readonly handle: number;
  readonly event: 'created' | 'changed' | 'deleted' | 'moved-from' | 'moved-to' | 'attributes' | 'overflow' | 'gone';
  /** Relative to the watched path. */
  readonly path: Uint8Array;
}

/** Bytes of one `read`, `readAt`, `write` or `writeAt`. */
export const largestPayload = 256 * 1024;
