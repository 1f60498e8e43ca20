import { statSync } from 'node:fs';
import type { EntryPlace } from './newest-entries.ts';
import { activePart, rotatedParts, rotatedPath } from './parts.ts';

/**
 * Notices when another journal has taken the place of the one that was read. A file keeps its number when it is
 * rotated, so another file with the same number is of another journal.
 */
export class SameJournal {
  readonly #journal: string;
  #file: { readonly part: number; readonly inode: number } | undefined;

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** `next`: where reading goes on. */
  isReplaced(next: EntryPlace | undefined): boolean {
    const { part, offset } = next ?? { part: 1, offset: 0 };
    const before = this.#file;
    const stats = statSync(this.#pathOf(part), { throwIfNoEntry: false });
    this.#file = stats === undefined ? undefined : { part, inode: stats.ino };
    if (stats === undefined) return offset > 0;
    return stats.size < offset || (before?.part === part && before.inode !== stats.ino);
  }

  #pathOf(part: number): string {
    return part < activePart(rotatedParts(this.#journal)) ? rotatedPath(this.#journal, part) : this.#journal;
  }
}
