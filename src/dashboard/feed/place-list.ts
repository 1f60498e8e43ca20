import type { EntryPlace, PlacedEntry } from '../../audit/newest-entries.ts';

/** Places of entries in the order in which they were added: three numbers for each. */
export class PlaceList {
  readonly #parts: number[] = [];
  readonly #offsets: number[] = [];
  readonly #seqs: number[] = [];

  get length(): number {
    return this.#seqs.length;
  }

  add({ part, offset, entry }: PlacedEntry): void {
    this.#parts.push(part);
    this.#offsets.push(offset);
    this.#seqs.push(entry.seq);
  }

  at(index: number): EntryPlace | undefined {
    const [part, offset] = [this.#parts[index], this.#offsets[index]];
    return part === undefined || offset === undefined ? undefined : { part, offset };
  }

  /** A journal that somebody wrote by hand may have one number twice. */
  newestWith(seq: number, order: 'oldest-first' | 'newest-first'): EntryPlace | undefined {
    return this.at(order === 'oldest-first' ? this.#seqs.lastIndexOf(seq) : this.#seqs.indexOf(seq));
  }

  clear(): void {
    for (const list of [this.#parts, this.#offsets, this.#seqs]) list.length = 0;
  }
}
