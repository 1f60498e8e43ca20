import { closeSync, readSync } from 'node:fs';
import { longestLine } from '../chunks.ts';
import { entryOf, type JournalEntry } from '../entries.ts';
import { openOwn } from '../open-own.ts';
import { rotatedPath } from '../parts.ts';
import type { FoundRow } from './select.ts';

/** Reads entries where the index says that they are. To be disposed of. */
export class RowReader implements Disposable {
  readonly #journal: string;
  readonly #open = new Map<number, number>();

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** Undefined where no such entry stands. */
  read({ part, offset, size, seq }: FoundRow): JournalEntry | undefined {
    // An index that was changed may say anything.
    const isPlace = Number.isSafeInteger(part) && Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(size) && size > 0 && size <= longestLine;
    const fd = isPlace ? this.#fdOf(part) : undefined;
    if (fd === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    if (readSync(fd, bytes, 0, size, offset) < size || bytes.at(-1) !== newline) return undefined;
    const entry = entryOf(bytes.toString('utf8', 0, size - 1));
    return entry !== undefined && (entry.seq === seq || seq === 0) ? entry : undefined;
  }

  /** A file that is not rotated yet may be so in the next moment: then it has its number in its name. */
  #fdOf(part: number): number | undefined {
    const known = this.#open.get(part);
    if (known !== undefined) return known;
    const rotated = rotatedPath(this.#journal, part);
    const fd = tryOpen(rotated) ?? tryOpen(this.#journal) ?? tryOpen(rotated);
    if (fd !== undefined) this.#open.set(part, fd);
    return fd;
  }

  [Symbol.dispose](): void {
    for (const fd of this.#open.values()) closeSync(fd);
    this.#open.clear();
  }
}

const newline = 0x0a;

function tryOpen(path: string): number | undefined {
  try {
    return openOwn(path, 'read').fd;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
