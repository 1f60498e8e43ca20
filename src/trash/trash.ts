/**
 * The trash room: keeps files that were deleted, overwritten or truncated under a `stage` rule, until they are restored
 * or too old.
 *
 * An entry is either complete or absent, whenever a process is killed. Other rooms decide which deletions are kept, and
 * this room knows no policy. It runs outside the box with the user's own rights. So it never follows a symlink on the
 * way to a file that it takes or puts back.
 */
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { below, inParent, pathText, type NameAt, removeAt, treeFacts, type TreeFacts } from '../kernel/index.ts';
import {
  content,
  type Identified,
  type KeepRequest,
  makeIdentifier,
  partial,
  readEntry,
  type TrashEntry,
  writeEntry,
} from './entry-file.ts';
import { holding, trashedNames, recover, removeEntries } from './purge.ts';
import { copyTo, moveTo, restoreItem, type RestoreRequest, trashError } from './restore.ts';

export interface TrashOptions {
  /** Absolute path. Made on first use. */
  readonly directory: string;
  /** Most bytes of all entries together. Default: 2,000,000,000. */
  readonly bytes?: number;
  /** Milliseconds that an entry is kept. Default: 30 days. */
  readonly age?: number;
}

/**
 * Keeps deleted, overwritten and truncated files until they are restored or too old. Several processes may use one
 * trash at the same time. Each clears leftovers of killed ones. Every method is synchronous.
 */
export class Trash {
  readonly #directory: string;
  readonly #bytes: number;
  readonly #age: number;
  #usage: Usage | undefined;

  constructor({ directory, bytes = defaultBytes, age = defaultAge }: TrashOptions) {
    this.#directory = directory;
    this.#bytes = bytes;
    this.#age = age;
  }

  /**
   * Keeps an item, and removes the oldest entries if there is too much. Throws `HF_QUOTA_EXCEEDED` if the item alone
   * exceeds the quota, `HF_DISK_FULL`, or `HF_TRASH_FAILED` with the errno in `details.errno`. The item is then
   * unchanged.
   */
  keep(request: KeepRequest): TrashEntry {
    const usage = this.#lookAgain(request);
    const entry = keepItem({ directory: this.#directory, largest: this.#bytes }, request);
    usage.bytes += entry.size;
    usage.keeps += 1;
    if (usage.bytes > this.#bytes) this.#makeRoom(entry, usage);
    return entry;
  }

  /** Lists entries, oldest first. */
  list(): readonly TrashEntry[] {
    return trashedNames(this.#directory).flatMap(({ id }) => readEntry(this.#directory, id)?.entry ?? []);
  }

  /** Returns the restored path. Throws `HF_TRASH_FAILED` and `HF_DISK_FULL`. */
  restore(request: RestoreRequest): Buffer {
    this.#usage = undefined;
    return restoreItem(this.#directory, request);
  }

  /** Removes entries from before `before` (milliseconds since 1970) for good. Default: all. */
  purge(before = Number.POSITIVE_INFINITY): readonly Identified[] {
    this.#usage = undefined;
    recover(this.#directory);
    return removeEntries(
      this.#directory,
      trashedNames(this.#directory).filter(({ at }) => at < before),
    );
  }

  /**
   * Counts again only after a while, to notice changes by other processes. A listing for each of a thousand deletions
   * would be slow.
   */
  #lookAgain({ path }: KeepRequest): Usage {
    if (
      this.#usage !== undefined &&
      this.#usage.keeps < keepsBetween &&
      performance.now() - this.#usage.since < timeBetween
    )
      return this.#usage;
    try {
      recover(this.#directory);
      const old = Date.now() - this.#age;
      removeEntries(
        this.#directory,
        trashedNames(this.#directory).filter(({ at }) => at < old),
      );
    } catch (error) {
      throw trashError(path, 'could not be kept: the trash cannot be used', error);
    }
    this.#usage = { bytes: sum(trashedNames(this.#directory)), keeps: 0, since: performance.now() };
    return this.#usage;
  }

  #makeRoom(newest: TrashEntry, usage: Usage): void {
    const present = trashedNames(this.#directory);
    let surplus = sum(present) - this.#bytes;
    const doomed = present.filter(({ id, size }) => {
      if (surplus <= 0 || id === newest.id) return false;
      surplus -= size;
      return true;
    });
    usage.bytes = sum(present) - sum(removeEntries(this.#directory, doomed));
  }
}

interface Usage {
  bytes: number;
  keeps: number;
  /** Time by `performance.now`. */
  readonly since: number;
}

const defaultBytes = 2e9;
const defaultAge = 30 * 24 * 3_600_000;
const keepsBetween = 256;
const timeBetween = 5000;

function sum(entries: readonly Identified[]): number {
  return entries.reduce((total, { size }) => total + size, 0);
}

interface KeepPlace {
  /** Directory of the trash. */
  readonly directory: string;
  /** Most bytes of one item. */
  readonly largest: number;
}

/**
 * Moves or copies a file, a symlink or a whole tree into a new entry. If it throws or is killed, the item is still
 * there, or the entry is complete. Throws `HF_QUOTA_EXCEEDED`, `HF_DISK_FULL`, or `HF_TRASH_FAILED` with the errno in
 * `details`.
 */
function keepItem(place: KeepPlace, request: KeepRequest): TrashEntry {
  try {
    return inParent(request.path, (directory, name) => keepIn(place, request, { directory, name }));
  } catch (error) {
    throw trashError(request.path, 'could not be kept in the trash, and was left unchanged', error);
  }
}

function keepIn(place: KeepPlace, request: KeepRequest, pinned: NameAt): TrashEntry {
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
  readonly pinned: NameAt;
  readonly facts: TreeFacts;
}

function fill({ directory, trash, id }: Filling, { request, pinned, facts }: Item): TrashEntry {
  const done = holding(directory, (opened) => {
    writeEntry(directory, request, lstatSync(below(pinned.directory, pinned.name)).mode & 0o7777);
    const to = { directory: opened, name: content };
    // The file could still be changed through another hard link after the move.
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
  return new HoldfastError(
    'HF_QUOTA_EXCEEDED',
    `${JSON.stringify(pathText(path))} has ${bytes} bytes, more than the trash may hold (${largest}): ${act}`,
    {
      remedy: 'delete it yourself outside the box, or raise limits.trash in your policy',
      details: { path: pathText(path), bytes, largest },
    },
  );
}
