import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { attributesOf, removeTree, setAttribute } from '../../kernel/index.ts';
import type { LayerFile, StagedLayer, StagedRoot } from '../types.ts';
import { layerFileOf, layersDirectory, layerVersion, stagedRoots } from './layout.ts';

interface NewLayer {
  /** Real path. */
  readonly workspace: string;
  /** Real paths of directories on the host. */
  readonly roots: readonly string[];
  /** Creates the upper directories. Default: makes them empty. */
  readonly fill?: (roots: readonly StagedRoot[]) => void;
  /** See `StagedLayer`. */
  readonly taken?: number;
}

/**
 * Creates a layer, empty or filled. It gets its name once it is complete. Throws `HF_STATE_UNWRITABLE` and
 * `HF_DISK_FULL`.
 */
export function createLayer(state: string, { workspace, roots, fill = emptyUppers, taken }: NewLayer): StagedLayer {
  const copied = taken === undefined ? {} : { taken };
  const created = Date.now();
  const id = `${created.toString(36)}-${randomBytes(2).toString('hex')}`;
  const all = layersDirectory(state);
  const [fresh, directory] = [join(all, `.new-${id}`), join(all, id)];
  const file: LayerFile = { version: layerVersion, workspace, roots, created, ...copied };
  removeLeftovers(all);
  try {
    mkdirSync(fresh, { recursive: true, mode: 0o700 });
    for (const { work } of stagedRoots(fresh, roots)) mkdirSync(work, { recursive: true, mode: 0o700 });
    for (const { root, work } of stagedRoots(fresh, roots))
      if (statSync(root).uid !== statSync(work).uid) ownedAs(root, work);
    fill(stagedRoots(fresh, roots));
    writeFileSync(layerFileOf(fresh), `${JSON.stringify(file)}\n`, { mode: 0o600 });
    renameSync(fresh, directory);
  } catch (cause) {
    removeQuietly(fresh);
    if (isHoldfastError(cause)) throw cause;
    throw unwritable(all, cause);
  }
  return { id, directory, workspace, created, roots: stagedRoots(directory, roots), ...copied };
}

export function emptyUppers(roots: readonly StagedRoot[]): void {
  for (const { root, upper } of roots) {
    mkdirSync(upper, { mode: 0o700 });
    likeOriginal(root, upper);
  }
}

/** Leftovers are removed later. */
function removeQuietly(fresh: string): void {
  try {
    removeTree(fresh);
  } catch {
    return;
  }
}

/** The top of an overlay shows the owner, the mode and the access list of its upper directory. */
function likeOriginal(root: string, upper: string): void {
  for (const [name, value] of attributesOf(root))
    if (name.startsWith('system.posix_acl_')) setAttribute(upper, name, value);
  chmodSync(upper, ownedAs(root, upper) & 0o7777);
}

/** Inside its box, root owns another user's workspace, and so both directories of its layer. */
function ownedAs(root: string, made: string): number {
  const { mode, uid, gid } = statSync(root);
  const own = statSync(made);
  if (uid !== own.uid || gid !== own.gid) chownIfAllowed(made, uid, gid);
  return mode;
}

/** A user who may not change owners does not own the root either, and could not change its mode there. */
function chownIfAllowed(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

function unwritable(directory: string, cause: unknown): HoldfastError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError('HF_DISK_FULL', `the disk that holds ${directory} is full`, {
      remedy: 'make room, and run the command again',
      cause,
    });
  return new HoldfastError('HF_STATE_UNWRITABLE', `no staged layer can be made in ${directory}: ${message}`, {
    remedy: 'make the directory writable, or set XDG_STATE_HOME to a writable directory',
    cause,
  });
}

/** Milliseconds. Long enough for any process that is creating or removing a layer now. */
const age = 3_600_000;

/** Removes leftovers of killed processes. The next call tries again if this one fails. */
function removeLeftovers(directory: string): void {
  for (const path of leftoversIn(directory)) {
    try {
      if (Date.now() - lstatSync(path).ctimeMs > age) removeTree(path);
    } catch {
      continue;
    }
  }
}

function leftoversIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).flatMap((name) => (/^\.(?:new|removed)-/u.test(name) ? [join(directory, name)] : []));
  } catch {
    return [];
  }
}
