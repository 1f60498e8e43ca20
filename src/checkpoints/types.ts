/**
 * The checkpoints room: saves a live workspace with everything in it, and restores it.
 *
 * Contents are stored once, by their SHA-256, beside a manifest for each checkpoint. The room runs outside the box with
 * the user's own rights, perhaps while a box works in the same tree. It opens every path from the workspace's
 * descriptor, follows no symlink, and never leaves the workspace. The room knows no policy.
 */
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { pathText } from '../kernel/index.ts';

/**
 * One entry of a checkpoint. Paths, names and targets are bytes as Latin-1 text, one character for each byte, because
 * names need not be UTF-8. The workspace's root has the path `''`.
 */
export type CheckpointEntry = StoredFile | StoredDirectory | StoredSymlink | StoredFifo;

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
  /** Identity on the disk. Equal ones are hard links of one file, and an unchanged file need not be read again. */
  readonly device: bigint;
  readonly inode: bigint;
  /** Nanoseconds since 1970. No program can set it. */
  readonly changed: bigint;
}

export interface StoredFile extends Common {
  readonly kind: 'file';
  readonly size: number;
  /** SHA-256 of the content in hexadecimal, which is its name in the store. */
  readonly object: string;
}

export interface StoredDirectory extends Common {
  readonly kind: 'directory';
}

export interface StoredSymlink extends Common {
  readonly kind: 'symlink';
  readonly target: string;
}

export interface StoredFifo extends Common {
  readonly kind: 'fifo';
}

/** An entry of the workspace that the checkpoint leaves out, or may have saved incorrectly. */
export interface CheckpointLeftOut {
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
  /** Bytes of all files. */
  readonly bytes: number;
}

export interface Checkpoint {
  readonly summary: CheckpointSummary;
  /** Directories come before their entries. */
  readonly entries: readonly CheckpointEntry[];
  readonly leftOut: readonly CheckpointLeftOut[];
}

/** The difference at one path. */
export interface Difference {
  readonly path: string;
  /**
   * `replaced`: another type, such as a symlink in place of a file. `linked`: shares its file with other paths than
   * before.
   */
  readonly kind: 'added' | 'deleted' | 'replaced' | 'modified' | 'linked' | 'metadata';
  readonly before?: CheckpointEntry;
  readonly after?: CheckpointEntry;
}

/** Returns all differences between two trees, in the order of the paths' bytes. */
export function compare(before: readonly CheckpointEntry[], after: readonly CheckpointEntry[]): readonly Difference[] {
  const [old, fresh] = [byPath(before), byPath(after)];
  const [oldLinks, freshLinks] = [linksOf(before), linksOf(after)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths.flatMap((path): Difference | readonly Difference[] => {
    const [was, is] = [old.get(path), fresh.get(path)];
    if (was === undefined) return is === undefined ? [] : { path, kind: 'added', after: is };
    if (is === undefined) return { path, kind: 'deleted', before: was };
    const kind = kindOf(was, is, oldLinks.get(path) === freshLinks.get(path));
    return kind === undefined ? [] : { path, kind, before: was, after: is };
  });
}

/** Returns whether a difference is worth showing. A directory's newer time after a write in it is not. */
export function worthShowing({ kind, before, after }: Difference): boolean {
  return (
    kind !== 'metadata' ||
    before === undefined ||
    after === undefined ||
    !sameMetadata({ ...before, modified: after.modified }, after)
  );
}

/** Returns, for each file with several names in the tree, all of its names as one text. */
export function linksOf(entries: readonly CheckpointEntry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string[]>();
  for (const { kind, device, inode, path } of entries) {
    if (kind === 'directory') continue;
    const key = `${device}:${inode}`;
    const known = names.get(key);
    if (known === undefined) names.set(key, [path]);
    else known.push(path);
  }
  return new Map(
    [...names.values()]
      .filter(({ length }) => length > 1)
      .flatMap((paths) => paths.map((path) => [path, paths.toSorted().join('\0')] as const)),
  );
}

function byPath(entries: readonly CheckpointEntry[]): ReadonlyMap<string, CheckpointEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function kindOf(was: CheckpointEntry, is: CheckpointEntry, sameLinks: boolean): Difference['kind'] | undefined {
  if (was.kind !== is.kind) return 'replaced';
  if (!sameContent(was, is)) return 'modified';
  if (!sameLinks) return 'linked';
  return sameMetadata(was, is) ? undefined : 'metadata';
}

function sameContent(was: CheckpointEntry, is: CheckpointEntry): boolean {
  if (was.kind === 'file' && is.kind === 'file') return was.object === is.object;
  return was.kind !== 'symlink' || is.kind !== 'symlink' || was.target === is.target;
}

function sameMetadata(was: CheckpointEntry, is: CheckpointEntry): boolean {
  return (
    was.mode === is.mode &&
    was.uid === is.uid &&
    was.gid === is.gid &&
    was.modified === is.modified &&
    sameAttributes(was.attributes, is.attributes)
  );
}

function sameAttributes(was: CheckpointEntry['attributes'], is: CheckpointEntry['attributes']): boolean {
  const names = Object.keys(was);
  return names.length === Object.keys(is).length && names.every((name) => was[name] === is[name]);
}

/**
 * Returns a typed error for a failure of the file system. `what` starts the sentence, such as `"src/a cannot be read"`.
 */
export function checkpointError(what: string, cause: unknown): HoldfastError {
  if (isHoldfastError(cause)) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof RangeError)
    return new HoldfastError('HF_CHECKPOINT_FAILED', `${what}: the tree is too deep`, {
      remedy: 'remove its deepest directories',
      cause,
    });
  // Any other error comes from Holdfast, and its own message is more precise.
  if (code === undefined) throw cause;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError('HF_DISK_FULL', `${what}: the disk is full`, {
      remedy: 'make room, then run it again; nothing is lost',
      cause,
    });
  return new HoldfastError('HF_CHECKPOINT_FAILED', `${what} (${code})`, {
    remedy: remedies[code] ?? 'see the errno, then run it again; nothing is lost',
    cause,
    details: { errno: code },
  });
}

/** Runs `work`. Its errors name the path of the workspace. */
export function about<T>(path: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw checkpointError(`${quoted(path)} ${what}`, error);
  }
}

/** Returns a path of an entry for a message. */
function quoted(path: string): string {
  return path === '' ? 'the workspace' : JSON.stringify(pathText(Buffer.from(path, 'latin1')));
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'make it readable for yourself, or move it out of the workspace',
  EPERM: 'it belongs to another user or is immutable: change that, or move it out of the workspace',
  EROFS: 'the file system is read-only',
  EMFILE: 'the tree is deeper than descriptors are allowed: raise `ulimit -n`',
  ENAMETOOLONG: 'a path in it is longer than 4,095 bytes: shorten it',
};
