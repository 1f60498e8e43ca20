import type { Identified } from './identifier.ts';
import { readEntry } from './entry-file.ts';
import { trashError } from './failure.ts';
import { keepItem } from './keep.ts';
import { identifiers, recover, removeEntries } from './purge.ts';
import { restoreItem, type RestoreRequest } from './restore.ts';
import type { KeepRequest, TrashEntry } from './types.ts';

export interface TrashOptions {
  /** Absolute; made when it is first needed. */
  readonly directory: string;
  /** Most bytes that all entries may have together. Default 2,000,000,000. */
  readonly bytes?: number;
  /** Milliseconds that an entry is kept. Default 30 days. */
  readonly age?: number;
}

/**
 * Where deleted, overwritten and truncated things are kept until they are restored or too old. Several processes may use one
 * trash at the same time; what one that was killed left behind is cleared away by the next. Every method is synchronous.
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
   * Keeps an item; the oldest entries go when it is too much. Throws `HF_QUOTA_EXCEEDED` when the item alone is more than
   * the quota, `HF_DISK_FULL`, or `HF_TRASH_FAILED` with the errno in `details.errno`. The item is then left as it was.
   */
  keep(request: KeepRequest): TrashEntry {
    const usage = this.#lookAgain(request);
    const entry = keepItem({ directory: this.#directory, largest: this.#bytes }, request);
    usage.bytes += entry.size;
    usage.keeps += 1;
    if (usage.bytes > this.#bytes) this.#makeRoom(entry, usage);
    return entry;
  }

  /** Oldest first. */
  list(): readonly TrashEntry[] {
    return identifiers(this.#directory).flatMap(({ id }) => readEntry(this.#directory, id)?.entry ?? []);
  }

  /** The path it has again. Throws `HF_TRASH_FAILED` and `HF_DISK_FULL`. */
  restore(request: RestoreRequest): Buffer {
    this.#usage = undefined;
    return restoreItem(this.#directory, request);
  }

  /** Removes for good what was kept before `before` (milliseconds since 1970); everything by default. */
  purge(before = Number.POSITIVE_INFINITY): readonly Identified[] {
    this.#usage = undefined;
    recover(this.#directory);
    return removeEntries(this.#directory, identifiers(this.#directory).filter(({ at }) => at < before));
  }

  /** Counting again is for what other processes keep and remove; a listing for each of a thousand deletions would be slow. */
  #lookAgain({ path }: KeepRequest): Usage {
    if (this.#usage !== undefined && this.#usage.keeps < keepsBetween && performance.now() - this.#usage.since < timeBetween) return this.#usage;
    try {
      recover(this.#directory);
      const old = Date.now() - this.#age;
      removeEntries(this.#directory, identifiers(this.#directory).filter(({ at }) => at < old));
    } catch (error) {
      throw trashError(path, 'could not be kept: the trash cannot be used', error);
    }
    this.#usage = { bytes: sum(identifiers(this.#directory)), keeps: 0, since: performance.now() };
    return this.#usage;
  }

  #makeRoom(newest: TrashEntry, usage: Usage): void {
    const present = identifiers(this.#directory);
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
  /** By `performance.now`. */
  readonly since: number;
}

const defaultBytes = 2e9;
const defaultAge = 30 * 24 * 3_600_000;
const keepsBetween = 256;
const timeBetween = 5000;

function sum(entries: readonly Identified[]): number {
  return entries.reduce((total, { size }) => total + size, 0);
}
