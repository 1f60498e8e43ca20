import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './capture/capture.ts';
import { readPending } from './restore/journal.ts';
import {
  checkpointIds,
  manifestPath,
  readCheckpoint,
  removeDurably,
  type Store,
  summaries,
  syncFileSystem,
  writeDurably,
  writeCheckpoint,
} from './store/manifest.ts';
import { type Contents, storing } from './store/objects.ts';
import { type Checkpoint, checkpointError, type CheckpointSummary } from './types.ts';

export interface Creating {
  readonly store: Store;
  /** Descriptor of the workspace. */
  readonly root: number;
  /** Most bytes of the contents of all checkpoints. */
  readonly bytes: number;
  /** Checkpoints made before a restore that are kept. */
  readonly automatic: number;
  /** Directories of Holdfast itself, which belong to no checkpoint. */
  readonly own: readonly string[];
  readonly onEntry: (entries: number) => void;
}

/** Makes a checkpoint. The caller must hold the lock. If killed, the checkpoint is complete or absent. */
export function createUnlocked(
  creating: Creating,
  { name, origin }: Pick<CheckpointSummary, 'name' | 'origin'>,
): Checkpoint {
  const { store } = creating;
  try {
    return changing(store, () => {
      const created = Date.now();
      const budget = { bytes: creating.bytes - usedBytes(store) };
      const { entries, leftOut } = look(creating, storing(store, budget));
      // Before the manifest, so that after a power failure no manifest refers to objects that are not on the disk.
      syncFileSystem(store.directory);
      const bytes = entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.size : 0), 0);
      const checkpoint: Checkpoint = {
        summary: {
          id: makeIdentifier(created),
          name,
          origin,
          workspace: store.workspace,
          created,
          entries: entries.length,
          bytes,
        },
        entries,
        leftOut,
      };
      writeCheckpoint(store, checkpoint);
      writeDurably(store.usage, String(creating.bytes - budget.bytes));
      prune(creating);
      return checkpoint;
    });
  } catch (error) {
    throw checkpointError('the checkpoint cannot be made', error);
  }
}

/** Describes the current tree. */
export function look(
  { store, root, own, onEntry }: Creating,
  contents: Contents,
): Pick<Checkpoint, 'entries' | 'leftOut'> {
  const excluded = own
    .flatMap((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? [])
    .map(({ dev, ino }) => `${dev}:${ino}`);
  return capture({
    root,
    contents,
    onEntry,
    known: latest(store),
    excluded: new Set(excluded),
    staging: readPending(store)?.staging,
  });
}

/**
 * Removes the manifest first. A partial removal then leaves a missing checkpoint, and the next one clears its contents.
 */
export function discardUnlocked(store: Store, id: string): void {
  changing(store, () => {
    removeDurably(manifestPath(store, id));
    collectGarbage(store);
  });
}

/** `20261103-101112-345-1f9a3c`: UTC to the millisecond, and random digits. */
function makeIdentifier(created: number): string {
  return `${new Date(created).toISOString().replaceAll(/[-:Z]/gu, '').replace(/[T.]/u, '-').replace('.', '-')}-${randomBytes(3).toString('hex')}`;
}

function latest(store: Store): Checkpoint | undefined {
  const id = checkpointIds(store).at(-1);
  try {
    return id === undefined ? undefined : readCheckpoint(store, id);
  } catch {
    return undefined;
  }
}

function prune({ store, automatic }: Creating): void {
  const undo = readPending(store)?.undo;
  const made = summaries(store).filter(({ origin, id }) => origin === 'automatic' && id !== undo);
  const old = made.slice(0, Math.max(0, made.length - automatic));
  for (const { id } of old) removeDurably(manifestPath(store, id));
  if (old.length > 0) collectGarbage(store);
}

/** Runs `work`, which writes or removes objects. Leftovers of a kill or an error are cleared. */
export function changing<T>(store: Store, work: () => T): T {
  recover(store);
  writeDurably(store.marker, '');
  try {
    const value = work();
    removeDurably(store.marker);
    return value;
  } catch (error) {
    recover(store);
    throw error;
  }
}

/**
 * Removes all objects that no manifest refers to. If a manifest is damaged, keeps all of them, because nobody knows
 * which objects that manifest needs.
 */
export function collectGarbage(store: Store): void {
  const needed = neededObjects(store);
  let bytes = 0;
  for (const shard of readdirSync(store.objects)) {
    const directory = join(store.objects, shard);
    if (shard === 'incoming') rmSync(directory);
    else
      for (const name of readdirSync(directory)) {
        if (needed?.has(shard + name) === false) rmSync(join(directory, name));
        else bytes += allocated(join(directory, name));
      }
  }
  writeDurably(store.usage, String(bytes));
}

/** Returns the bytes of all objects. */
export function usedBytes({ usage }: Store): number {
  return existsSync(usage) ? Number(readFileSync(usage, 'utf8')) : 0;
}

const block = 512;

/** Holes take no space. */
function allocated(path: string): number {
  const { size, blocks } = lstatSync(path);
  return Math.min(size, blocks * block);
}

function recover(store: Store): void {
  if (!existsSync(store.marker)) return;
  collectGarbage(store);
  removeDurably(store.marker);
}

function neededObjects(store: Store): ReadonlySet<string> | undefined {
  try {
    return new Set(
      checkpointIds(store).flatMap((id) =>
        readCheckpoint(store, id).entries.flatMap((entry) => (entry.kind === 'file' ? entry.object : [])),
      ),
    );
  } catch {
    return undefined;
  }
}
