import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { kernelCall, openDirectory } from '../../kernel/index.ts';
import type { Checkpoint, CheckpointSummary, CheckpointEntry, CheckpointLeftOut } from '../types.ts';

/**
 * Writes a manifest as lines of JSON. They are the summary of the checkpoint, one line for each entry, the omitted
 * paths, and the SHA-256 of all lines before. `readCheckpoint` throws `HF_CHECKPOINT_FAILED` for a damaged one.
 */
export function writeCheckpoint(store: Store, { summary, entries, leftOut }: Checkpoint): void {
  const lines = [{ version: 1, ...summary }, ...entries.map(rowOf), { leftOut }].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  const body = lines.join('');
  writeDurably(manifestPath(store, summary.id), `${body}${JSON.stringify({ sha256: digest(body) })}\n`);
}

export function readCheckpoint(store: Store, id: string): Checkpoint {
  const text = readFileSync(manifestPath(store, id), 'utf8');
  const seal = text.lastIndexOf('\n', text.length - 2) + 1;
  const body = text.slice(0, seal);
  if (text.slice(seal) !== `${JSON.stringify({ sha256: digest(body) })}\n`) throw damaged(id);
  const lines = body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
  const { version, ...summary } = lines[0] as CheckpointSummary & { readonly version: number };
  if (version !== 1)
    throw new HoldfastError('HF_CHECKPOINT_FAILED', `the checkpoint ${id} was written by a newer version`, {
      remedy: 'update holdfast',
    });
  return {
    summary,
    entries: lines.slice(1, -1).map((row) => readRow(row as Row)),
    leftOut: (lines.at(-1) as { readonly leftOut: readonly CheckpointLeftOut[] }).leftOut,
  };
}

/**
 * Lists checkpoints, oldest first. Reads only the start of each manifest. Leaves out a manifest that is damaged there,
 * and `restore` reports why.
 */
export function summaries(store: Store): readonly CheckpointSummary[] {
  return checkpointIds(store).flatMap((id) => readSummary(manifestPath(store, id)) ?? []);
}

export function checkpointIds({ manifests }: Store): readonly string[] {
  return readdirSync(manifests)
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .sort();
}

export function manifestPath({ manifests }: Store, id: string): string {
  return join(manifests, `${id}${extension}`);
}

const extension = '.jsonl';
/** A path has at most 4,095 bytes, each at most six characters in JSON. */
const longestHead = 65_536;

function readSummary(path: string): CheckpointSummary | undefined {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(longestHead);
    const text = head.toString('utf8', 0, readSync(file, head, 0, longestHead, 0));
    const { version: _, ...summary } = JSON.parse(text.slice(0, text.indexOf('\n'))) as CheckpointSummary & {
      readonly version: number;
    };
    return summary;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function damaged(id: string): HoldfastError {
  return new HoldfastError('HF_CHECKPOINT_FAILED', `the checkpoint ${id} is damaged`, {
    remedy: `remove it with \`holdfast checkpoint remove ${id}\``,
  });
}

/**
 * An entry as JSON: kind, path, mode, uid, gid, modified, device, inode, changed, attributes, and further fields of its
 * kind.
 */
type Row = readonly [
  kind: string,
  path: string,
  mode: number,
  uid: number,
  gid: number,
  modified: string,
  device: string,
  inode: string,
  changed: string,
  attributes: Readonly<Record<string, string>>,
  ...rest: readonly (string | number)[],
];

function rowOf(entry: CheckpointEntry): Row {
  const { path, mode, uid, gid, modified, device, inode, changed, attributes } = entry;
  return [
    letters[entry.kind],
    path,
    mode,
    uid,
    gid,
    String(modified),
    String(device),
    String(inode),
    String(changed),
    attributes,
    ...restOf(entry),
  ];
}

function readRow([
  kind,
  path,
  mode,
  uid,
  gid,
  modified,
  device,
  inode,
  changed,
  attributes,
  first = '',
  second = '',
]: Row): CheckpointEntry {
  const common = {
    path,
    mode,
    uid,
    gid,
    modified: BigInt(modified),
    device: BigInt(device),
    inode: BigInt(inode),
    changed: BigInt(changed),
    attributes,
  };
  if (kind === 'f') return { kind: 'file', ...common, size: Number(first), object: String(second) };
  if (kind === 'l') return { kind: 'symlink', ...common, target: String(first) };
  return { kind: kind === 'd' ? 'directory' : 'fifo', ...common };
}

const letters: Readonly<Record<CheckpointEntry['kind'], string>> = {
  file: 'f',
  directory: 'd',
  symlink: 'l',
  fifo: 'p',
};

function restOf(entry: CheckpointEntry): readonly (string | number)[] {
  if (entry.kind === 'file') return [entry.size, entry.object];
  return entry.kind === 'symlink' ? [entry.target] : [];
}

/** Paths of one workspace's checkpoints. */
export interface Store {
  readonly directory: string;
  /** Contents by their SHA-256: `ab/cdef…`. */
  readonly objects: string;
  readonly manifests: string;
  /**
   * Exists while objects are written or removed. If it is left after a kill, the next process removes unreferenced
   * objects.
   */
  readonly marker: string;
  /** Exists during a restore. */
  readonly journal: string;
  /** Bytes of all objects, as text. */
  readonly usage: string;
  /** Real path. */
  readonly workspace: string;
}

export function openStore(checkpoints: string, workspace: string): Store {
  const directory = join(checkpoints, createHash('sha256').update(workspace).digest('hex').slice(0, 32));
  mkdirSync(join(directory, 'objects'), { recursive: true, mode: 0o700 });
  mkdirSync(join(directory, 'manifests'), { recursive: true, mode: 0o700 });
  const inside = (name: string): string => join(directory, name);
  return {
    directory,
    objects: inside('objects'),
    manifests: inside('manifests'),
    marker: inside('unfinished'),
    journal: inside('restoring.json'),
    usage: inside('usage'),
    workspace,
  };
}

/** Writes a file completely or not at all, even after a power failure. */
export function writeDurably(path: string, content: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  syncDirectory(join(path, '..'));
}

export function removeDurably(path: string): void {
  rmSync(path, { force: true });
  syncDirectory(join(path, '..'));
}

function syncDirectory(path: string): void {
  const directory = openDirectory(path);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Waits until all writes to the file system of a directory are on the disk. One call covers thousands of files. */
export function syncFileSystem(path: string): void {
  const directory = openDirectory(path);
  try {
    kernelCall('syncfs', directory);
  } finally {
    closeSync(directory);
  }
}
