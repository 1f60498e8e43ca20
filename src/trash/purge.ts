import { closeSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isKernelError, kernelCall, openDirectory, removeTree } from '../kernel/index.ts';
import { content, type Identified, readIdentifier } from './entry-file.ts';

/** Names of all entries, oldest first, including unfinished ones. */
export function trashedNames(trash: string): readonly Identified[] {
  return namesIn(trash)
    .map(readIdentifier)
    .filter((found) => found !== undefined);
}

/** Removes entries for good, and returns the removed ones. An entry in use stays. */
export function removeEntries(trash: string, entries: readonly Identified[]): readonly Identified[] {
  return entries.filter(({ id }) => {
    const directory = join(trash, id);
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return false;
    return holding(directory, () => removeHeld(trash, id)).kind === 'done';
  });
}

/** Renames an entry first, because a partly removed one must not look complete. */
export function removeHeld(trash: string, id: string): void {
  const doomed = join(trash, `${id}${doomedSuffix}`);
  renameSync(join(trash, id), doomed);
  removeTree(doomed);
}

/** Clears leftovers of killed processes: entries without content, and entries whose removal was interrupted. */
export function recover(trash: string): void {
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  for (const name of namesIn(trash)) {
    if (name.endsWith(doomedSuffix)) clear(() => removeTree(join(trash, name)));
    else if (readIdentifier(name) !== undefined) clear(() => recoverEntry(trash, name));
  }
}

const doomedSuffix = '.removing';
/** Milliseconds. Between the creation of its directory and its lock, a new entry looks abandoned. */
const grace = 60_000;

function recoverEntry(trash: string, id: string): void {
  const directory = join(trash, id);
  if (lstatSync(join(directory, content), { throwIfNoEntry: false }) !== undefined) return;
  if (readdirSync(directory).length === 0 && Date.now() - lstatSync(directory).mtimeMs < grace) return;
  holding(directory, () => {
    if (lstatSync(join(directory, content), { throwIfNoEntry: false }) === undefined) removeHeld(trash, id);
  });
}

/** Another process may be clearing the same entry. */
function clear(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function namesIn(trash: string): readonly string[] {
  try {
    return readdirSync(trash).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** `sys/file.h`: exclusive, without waiting. */
const exclusively = 2 | 4;

/**
 * Runs `use` while only this process works on an entry. The kernel releases the lock with the process, however the
 * process ends, so an incomplete entry without a lock is a leftover. Returns `busy` if another process holds it.
 */
export function holding<T>(
  directory: string,
  use: (directory: number) => T,
): { readonly kind: 'done'; readonly value: T } | { readonly kind: 'busy' } {
  const descriptor = openDirectory(directory);
  try {
    kernelCall('flock', descriptor, exclusively);
    return { kind: 'done', value: use(descriptor) };
  } catch (error) {
    if (isKernelError(error, 'EAGAIN') && error.syscall === 'flock') return { kind: 'busy' };
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
