import {
  chmodSync,
  closeSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import process from 'node:process';
import { atFdcwd, kernelCall, terminated } from '../../../kernel/index.ts';
import { openPlace, withFileBeneath } from '../../../staged/changes/place.ts';
import { createLayer, emptyUppers } from '../../../staged/store/create-layer.ts';
import type { StagedLayer } from '../../../staged/types.ts';
import type { ReturnedEntry, ReturnedWorkspace } from './receive-workspace.ts';
import type { SentEntry, SentWorkspace } from './types.ts';

interface Difference {
  readonly changed: readonly (readonly [string, ReturnedEntry])[];
  /** The topmost name of each deletion. */
  readonly deleted: readonly string[];
}

/**
 * Makes a staged layer from the changes of a command in a workspace, for `review`, `accept` and `undo`. Undefined
 * without changes. Does not touch the workspace itself.
 */
export function stageReturn(state: string, sent: SentWorkspace, returned: ReturnedWorkspace): StagedLayer | undefined {
  const difference = differenceOf(sent, returned);
  if (difference.changed.length + difference.deleted.length === 0) return undefined;
  return createLayer(state, {
    workspace: sent.workspace,
    roots: [sent.workspace],
    taken: sent.taken,
    fill: (roots) => {
      emptyUppers(roots);
      for (const { root, upper } of roots) new Upper(root, upper, returned).fill(difference);
    },
  });
}

export function differenceOf(sent: SentWorkspace, returned: ReturnedWorkspace): Difference {
  const changed = [...returned.entries].filter(([path, entry]) => !isSame(sent.entries.get(path), entry));
  const lost = [...sent.entries.keys()].filter((path) => !returned.entries.has(path));
  const isThere = (path: string): boolean => path === '' || returned.entries.get(path)?.type === 'directory';
  return { changed, deleted: lost.filter((path) => isThere(parentOf(path))) };
}

function isSame(before: SentEntry | undefined, after: ReturnedEntry): boolean {
  switch (after.type) {
    case 'directory':
      return before?.type === 'directory' && before.mode === after.mode;
    case 'symlink':
      return before?.type === 'symlink' && before.target === after.target;
    case 'file':
      return before?.type === 'file' && before.mode === after.mode && after.content.kind === 'as-sent';
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** `S_IFCHR` of `stat.h`. With the device 0:0, it is an overlay's mark of a deleted name. */
const characterDevice = 0o020000;

/** The upper directory of a layer. Only this process writes there, and only through names that it made. */
class Upper {
  readonly #root: string;
  readonly #upper: string;
  readonly #returned: ReturnedWorkspace;
  readonly #made = new Map<string, number>();
  /** Spooled contents that are in place. A further name of one is a copy. */
  readonly #placed = new Map<string, Buffer>();

  constructor(root: string, upper: string, returned: ReturnedWorkspace) {
    this.#root = root;
    this.#upper = upper;
    this.#returned = returned;
  }

  fill({ changed, deleted }: Difference): void {
    for (const [path, entry] of changed.toSorted(([a], [b]) => (a < b ? -1 : 1))) this.#put(path, entry);
    for (const path of deleted) {
      this.#parent(path);
      kernelCall('mknodat', atFdcwd, terminated(this.#at(path)), characterDevice, 0);
    }
    // Deepest first: a directory may forbid later writes into it.
    for (const [path, mode] of [...this.#made].toSorted(([a], [b]) => b.length - a.length))
      chmodSync(this.#at(path), mode);
  }

  #put(path: string, entry: ReturnedEntry): void {
    if (entry.type === 'directory') return this.#directory(path, entry.mode);
    this.#parent(path);
    const at = this.#at(path);
    if (entry.type === 'symlink') symlinkSync(Buffer.from(entry.target, 'latin1'), at);
    else if (entry.content.kind === 'kept') this.#place(entry.content.file, at);
    else if (this.#copyFromHost(path, at) === 'gone') return;
    this.#own(path);
    if (entry.type !== 'file') return;
    chmodSync(at, entry.mode);
    utimesSync(at, entry.modified, entry.modified);
  }

  /** Only its mode changed. The content is the host's, and a conflict if the host's has changed by now. */
  #copyFromHost(path: string, at: Buffer): 'copied' | 'gone' {
    const root = openPlace(this.#root);
    try {
      const copy = (file: number): 'copied' => {
        copyFileSync(`/proc/self/fd/${file}`, at);
        return 'copied';
      };
      return withFileBeneath(root, Buffer.from(path, 'latin1'), copy) ?? 'gone';
    } finally {
      closeSync(root);
    }
  }

  #place(file: string, at: Buffer): void {
    const first = this.#placed.get(file);
    if (first === undefined) renameSync(file, at);
    else copyFileSync(first, at);
    this.#placed.set(file, at);
  }

  /** Directories on the way have the host's properties, so that they are not changes. */
  #parent(path: string): void {
    const parent = parentOf(path);
    if (parent === '' || this.#made.has(parent)) return;
    const stats = lstatSync(this.#onHost(parent), { throwIfNoEntry: false });
    const returned = this.#returned.entries.get(parent);
    this.#directory(
      parent,
      stats?.isDirectory() === true ? stats.mode & 0o7777 : returned?.type === 'directory' ? returned.mode : 0o755,
    );
  }

  #directory(path: string, mode: number): void {
    this.#parent(path);
    if (!this.#made.has(path)) mkdirSync(this.#at(path), { mode: 0o700 });
    this.#made.set(path, mode);
    this.#own(path);
  }

  /** Files that root stages for another user's workspace belong to that user. */
  #own(path: string): void {
    if (process.geteuid?.() !== 0) return;
    const { uid, gid } = lstatSync(this.#onHost(path), { throwIfNoEntry: false }) ?? lstatSync(this.#root);
    lchownSync(this.#at(path), uid, gid);
  }

  #at(path: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#upper}/`), Buffer.from(path, 'latin1')]);
  }

  #onHost(path: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), Buffer.from(path, 'latin1')]);
  }
}
