import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { attributesOf, below, isKernelError, openAt, resolve } from '../../kernel/index.ts';
import type { Contents } from '../store/objects.ts';
import { about, type Checkpoint, type CheckpointEntry, type CheckpointLeftOut } from '../types.ts';

export interface Capture {
  /** Descriptor of the workspace. */
  readonly root: number;
  readonly contents: Contents;
  /** The last checkpoint. Unchanged files need not be read again. */
  readonly known: Checkpoint | undefined;
  /** Directories of Holdfast itself, as `device:inode`. */
  readonly excluded: ReadonlySet<string>;
  /** Directory at the top that a killed restore has left behind. */
  readonly staging: string | undefined;
  readonly onEntry: (entries: number) => void;
}

/**
 * Describes a tree in its current state. Throws `HF_CHECKPOINT_FAILED` with the unreadable path, `HF_DISK_FULL` and
 * `HF_QUOTA_EXCEEDED`.
 */
export function capture(capturing: Capture): Pick<Checkpoint, 'entries' | 'leftOut'> {
  const [entries, leftOut]: [CheckpointEntry[], CheckpointLeftOut[]] = [[], []];
  const known = recall(capturing.known);
  const visit = (found: Found): 'go-on' | 'skip' => {
    if (found.path !== '' && found.path === capturing.staging) return 'skip';
    const reason = found.path === '' ? undefined : reasonToLeaveOut(found.stats, capturing);
    if (reason !== undefined) leftOut.push({ path: found.path, reason });
    if (reason !== undefined) return 'skip';
    const entry =
      known(found) ??
      about(found.path, 'cannot be read', () => unlessGone(() => describe(found, capturing.contents, leftOut)));
    if (entry === undefined) return 'skip';
    capturing.onEntry(entries.push(entry));
    return 'go-on';
  };
  walk({
    root: capturing.root,
    visit,
    mounted: (path) => {
      entries.pop();
      leftOut.push({ path, reason: 'other-file-system' });
    },
  });
  return { entries, leftOut };
}

/**
 * File times tick in steps of up to 10 ms, and of 2 s on old file systems. A file that changed just before it was read
 * may change again without a new time. Nanoseconds.
 */
const coarseStep = 2_000_000_000n;
const fineStep = 50_000_000n;
const wholeSecond = 1_000_000_000n;

function recall(known: Checkpoint | undefined): (found: Found) => CheckpointEntry | undefined {
  if (known === undefined) return () => undefined;
  const started = BigInt(known.summary.created) * 1_000_000n;
  const unsure = new Set(known.leftOut.map(({ path }) => path));
  const byPath = new Map(known.entries.map((entry) => [entry.path, entry]));
  return ({ path, stats }) => {
    const entry = byPath.get(path);
    if (
      entry === undefined ||
      entry.inode !== stats.ino ||
      entry.device !== stats.dev ||
      entry.changed !== stats.ctimeNs ||
      entry.modified !== stats.mtimeNs
    )
      return undefined;
    if (entry.kind === 'file' && BigInt(entry.size) !== stats.size) return undefined;
    const step = stats.ctimeNs % wholeSecond === 0n ? coarseStep : fineStep;
    return stats.ctimeNs + step < started && !unsure.has(path) ? entry : undefined;
  };
}

function reasonToLeaveOut(stats: BigIntStats, { excluded }: Capture): CheckpointLeftOut['reason'] | undefined {
  if (stats.isSocket()) return 'socket';
  if (stats.isBlockDevice() || stats.isCharacterDevice()) return 'device';
  return stats.isDirectory() && excluded.has(`${stats.dev}:${stats.ino}`) ? 'state-of-holdfast' : undefined;
}

/** An entry that was removed or replaced after it was found counts as missing. */
function unlessGone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (gone.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const gone: ReadonlySet<string> = new Set(['ENOENT', 'ELOOP', 'ENXIO']);

function describe(found: Found, contents: Contents, leftOut: CheckpointLeftOut[]): CheckpointEntry | undefined {
  const { place, stats, path } = found;
  if (stats.isFile()) return describeFile(found, contents, leftOut);
  const common = commonOf(path, place, stats);
  if (stats.isDirectory()) return { kind: 'directory', ...common };
  return stats.isSymbolicLink()
    ? { kind: 'symlink', ...common, target: readlinkSync(place, { encoding: 'latin1' }) }
    : { kind: 'fifo', ...common };
}

function commonOf(path: string, place: Buffer, stats: BigIntStats) {
  const attributes = Object.fromEntries(
    [...attributesOf(path === '' ? Buffer.concat([place, Buffer.from('.')]) : place)].map(([name, value]) => [
      name,
      value.toString('base64'),
    ]),
  );
  return {
    path,
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    modified: stats.mtimeNs,
    device: stats.dev,
    inode: stats.ino,
    changed: stats.ctimeNs,
    attributes,
  };
}

const attempts = 3;

/** Reads a file again if it changes meanwhile. A file that keeps changing is stored as last read, and reported. */
function describeFile(
  { place, path }: Found,
  contents: Contents,
  leftOut: CheckpointLeftOut[],
): CheckpointEntry | undefined {
  // Non-blocking, because a FIFO may have replaced the file.
  const file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const before = fstatSync(file, { bigint: true });
      if (!before.isFile()) return undefined;
      const { object, size } = contents.keep(file, Number(before.size));
      const after = fstatSync(file, { bigint: true });
      const rests = BigInt(size) === after.size && before.ctimeNs === after.ctimeNs && before.mtimeNs === after.mtimeNs;
      if (!rests && attempt < attempts) continue;
      if (!rests) leftOut.push({ path, reason: 'changed-while-read' });
      return { kind: 'file', ...commonOf(path, place, before), size, object };
    }
  } finally {
    closeSync(file);
  }
}

interface Found {
  /** Path as in an entry. */
  readonly path: string;
  /** The same entry for system calls, during its visit. */
  readonly place: Buffer;
  readonly stats: BigIntStats;
}

interface Walk {
  /** Descriptor of the tree's root. */
  readonly root: number;
  /** `skip` leaves out the entry and everything in it. */
  readonly visit: (found: Found) => 'go-on' | 'skip';
  /** Called for a directory on another mount. */
  readonly mounted: (path: string) => void;
}

/**
 * Walks a tree, each directory before its entries, names in the order of their bytes. Opens each directory from the one
 * above it, so that swapping in a symlink leads nowhere. Leaves out entries that disappear meanwhile.
 */
function walk(walking: Walk): void {
  const place = below(walking.root, '');
  if (walking.visit({ path: '', place, stats: lstatSync(below(walking.root, '.'), { bigint: true }) }) === 'go-on')
    walkIn(walking.root, '', walking);
}

function walkIn(directory: number, path: string, walking: Walk): void {
  const names = about(path, 'cannot be listed', () =>
    readdirSync(`/proc/self/fd/${directory}`, { encoding: 'latin1' }),
  ).sort();
  const prefix = path === '' ? '' : `${path}/`;
  for (const name of names) {
    const bytes = Buffer.from(name, 'latin1');
    const place = below(directory, bytes);
    const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) continue;
    const inner = `${prefix}${name}`;
    if (walking.visit({ path: inner, place, stats }) === 'go-on' && stats.isDirectory())
      enter({ directory, bytes, inner }, walking);
  }
}

interface Step {
  readonly directory: number;
  readonly bytes: Buffer;
  readonly inner: string;
}

function enter({ directory, bytes, inner }: Step, walking: Walk): void {
  const opened = openInner(directory, bytes, inner);
  if (opened === 'mounted') walking.mounted(inner);
  if (opened === 'mounted' || opened === 'gone') return;
  try {
    walkIn(opened, inner, walking);
  } finally {
    closeSync(opened);
  }
}

function openInner(directory: number, bytes: Buffer, inner: string): number | 'mounted' | 'gone' {
  try {
    return openAt(directory, bytes, {
      flags: constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
      resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing,
    });
  } catch (error) {
    if (isKernelError(error, 'EXDEV')) return 'mounted';
    if (isKernelError(error, 'ENOENT') || isKernelError(error, 'ENOTDIR') || isKernelError(error, 'ELOOP'))
      return 'gone';
    return about(inner, 'cannot be listed', () => {
      throw error;
    });
  }
}
