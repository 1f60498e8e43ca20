import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { below, inParent, pathText, removeAt, treeFacts, type Place, type TreeFacts } from '../kernel/index.ts';
import { content, partial, readEntry, writeEntry } from './entry-file.ts';
import { trashError } from './failure.ts';
import { holding } from './hold.ts';
import { makeIdentifier } from './identifier.ts';
import { copyTo, moveTo } from './move.ts';
import type { KeepRequest, TrashEntry } from './types.ts';

export interface KeepPlace {
  /** The trash: a directory. */
  readonly directory: string;
  /** Most bytes that one item may have. */
  readonly largest: number;
}

/**
 * Takes or copies a file, a symlink or a whole tree into a new entry. Whenever it throws or is killed, the item is where it
 * was, or the entry is whole. Throws `HF_QUOTA_EXCEEDED`, `HF_DISK_FULL`, or `HF_TRASH_FAILED` with the errno in `details`.
 */
export function keepItem(place: KeepPlace, request: KeepRequest): TrashEntry {
  try {
    return inParent(request.path, (directory, name) => keepIn(place, request, { directory, name }));
  } catch (error) {
    throw trashError(request.path, 'could not be kept in the trash, and was left as it is', error);
  }
}

function keepIn(place: KeepPlace, request: KeepRequest, pinned: Place): TrashEntry {
  const facts = treeFacts(pinned);
  if (facts.bytes > place.largest) throw tooLarge(request, facts.bytes, place.largest);
  const id = makeIdentifier((performance.timeOrigin + performance.now()) * 1000, facts.bytes);
  const directory = join(place.directory, id);
  mkdirSync(directory, { mode: 0o700 });
  try {
    return fill({ directory, trash: place.directory, id }, { request, pinned, facts });
  } catch (error) {
    if (readEntry(place.directory, id) === undefined) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

interface Filling {
  readonly directory: string;
  readonly trash: string;
  readonly id: string;
}

interface Item {
  readonly request: KeepRequest;
  readonly pinned: Place;
  readonly facts: TreeFacts;
}

function fill({ directory, trash, id }: Filling, { request, pinned, facts }: Item): TrashEntry {
  const done = holding(directory, (opened) => {
    writeEntry(directory, request, lstatSync(below(pinned.directory, pinned.name)).mode & 0o7777);
    const to = { directory: opened, name: content };
    // A file with another name could be changed through that one after it was moved here.
    const movable = request.how === 'take' && facts.files === 'own';
    if (movable && moveTo(pinned, to) === 'moved') return;
    copyTo(pinned, to, partial);
    if (request.how === 'take') removeAt(pinned);
  });
  const read = done.kind === 'busy' ? undefined : readEntry(trash, id);
  if (read === undefined) throw new Error('the new entry is in use');
  return read.entry;
}

function tooLarge({ path, how }: KeepRequest, bytes: number, largest: number): HoldfastError {
  const act = how === 'take' ? 'it was not deleted' : 'it was not changed';
  return new HoldfastError('HF_QUOTA_EXCEEDED', `${JSON.stringify(pathText(path))} has ${bytes} bytes, more than the trash may hold (${largest}): ${act}`, {
    remedy: 'delete it yourself outside the box, or raise limits.trash in your policy',
    details: { path: pathText(path), bytes, largest },
  });
}
