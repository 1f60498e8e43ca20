import { statSync } from 'node:fs';
import { journalEntries, type JournalEntry, type JournalPosition } from '../../audit/index.ts';
import { type EntryPlace, newestEntries, type PlacedEntry, SameJournal } from '../../audit/newest-entries.ts';
import { rotatedParts } from '../../audit/parts.ts';

export interface FeedStep {
  /** Entries in no order. */
  readonly entries: readonly JournalEntry[];
  readonly rest: 'more' | 'none';
  /**
   * `replaced`: another journal has replaced the old one, and its entries begin here. `corrected`: it has another
   * length than its numbers suggested.
   */
  readonly change: 'none' | 'corrected' | 'replaced';
}

/**
 * The position of each journal entry, so that any of a million can be read immediately. Learns positions in short
 * steps, the newest first, because a page shows those before the rest of a long journal is read. Until then, the
 * numbers of the entries give their count.
 */
export class JournalPlaces {
  readonly #journal: string;
  readonly #same: SameJournal;
  /** Entries added since this object was made, oldest first, and earlier ones, newest first. */
  readonly #newer = new PlaceList();
  readonly #older = new PlaceList();
  #next: JournalPosition | undefined;
  /** The expected number of older entries. */
  #expected = 0;
  #oldest: EntryPlace | 'reached' = 'reached';

  constructor(journal: string) {
    this.#journal = journal;
    this.#same = new SameJournal(journal);
  }

  /** Number of all entries. */
  get count(): number {
    return this.#newer.length + Math.max(this.#older.length, this.#expected);
  }

  /** Number of entries whose position is known. */
  get known(): number {
    return this.#newer.length + this.#older.length;
  }

  /** Continues to read for about `patience` milliseconds. */
  step(patience: number): FeedStep {
    const isReplaced = this.#same.isReplaced(this.#next);
    if (isReplaced) this.#forget();
    if (this.#next === undefined) this.#begin();
    const until = performance.now() + patience;
    const { entries: news, rest } = this.#readNewer(until);
    const old = this.#readOlder(until);
    const isWhole = this.#oldest === 'reached';
    const isCorrected = isWhole && this.#expected !== this.#older.length;
    if (isWhole) this.#expected = this.#older.length;
    return { entries: [...news, ...old], rest: isWhole ? rest : 'more', change: changeOf({ isReplaced, isCorrected }) };
  }

  /**
   * Returns entries in order, starting with the one at `from`, where the oldest is 0. Leaves out those whose position
   * is not known yet.
   */
  read(from: number, count: number): readonly JournalEntry[] {
    const first = Math.max(from, this.count - this.known);
    const place = this.#at(first);
    if (place === undefined) return [];
    const entries: JournalEntry[] = [];
    for (const { entry } of journalEntries(this.#journal, { from: { ...place, line: 1 } })) {
      if (entries.length >= Math.min(from + count, this.count) - first) break;
      entries.push(entry);
    }
    return entries;
  }

  withSeq(seq: number): JournalEntry | undefined {
    const place = this.#newer.newestWith(seq, 'oldest-first') ?? this.#older.newestWith(seq, 'newest-first');
    if (place === undefined) return undefined;
    const [found] = journalEntries(this.#journal, { from: { ...place, line: 1 } });
    return found?.entry;
  }

  #at(place: number): EntryPlace | undefined {
    const fromNewest = this.count - 1 - place;
    return fromNewest < this.#newer.length
      ? this.#newer.at(this.#newer.length - 1 - fromNewest)
      : this.#older.at(fromNewest - this.#newer.length);
  }

  /** Starts at the newest entry, and reads forwards and backwards from there. */
  #begin(): void {
    const [newest] = newestEntries(this.#journal, { count: 1 });
    if (newest === undefined) return;
    this.#next = { part: newest.part, offset: newest.offset, line: 1 };
    this.#oldest = newest;
    this.#expected = expectedBefore(this.#journal, newest);
  }

  #readNewer(until: number): Pick<FeedStep, 'entries' | 'rest'> {
    const entries: JournalEntry[] = [];
    if (this.#next === undefined) return { entries, rest: 'none' };
    for (const { entry, next, ...place } of journalEntries(this.#journal, { from: this.#next })) {
      this.#newer.add({ ...place, entry });
      this.#next = next;
      entries.push(entry);
      if (entries.length % stepLength === 0 && performance.now() > until) return { entries, rest: 'more' };
    }
    return { entries, rest: 'none' };
  }

  #readOlder(until: number): readonly JournalEntry[] {
    const entries: JournalEntry[] = [];
    while (this.#oldest !== 'reached' && (entries.length === 0 || performance.now() < until)) {
      const found = newestEntries(this.#journal, { count: stepLength, before: this.#oldest });
      for (const placed of found) {
        this.#older.add(placed);
        entries.push(placed.entry);
      }
      this.#oldest = found.at(-1) ?? 'reached';
    }
    return entries;
  }

  #forget(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#next = undefined;
    this.#oldest = 'reached';
    this.#expected = 0;
  }
}

function changeOf({
  isReplaced,
  isCorrected,
}: {
  readonly isReplaced: boolean;
  readonly isCorrected: boolean;
}): FeedStep['change'] {
  if (isReplaced) return 'replaced';
  return isCorrected ? 'corrected' : 'none';
}

const stepLength = 256;

/**
 * Returns the number of entries before the newest, according to their consecutive numbers. A handwritten journal may
 * contain any number, so the journal's size limits the count.
 */
function expectedBefore(journal: string, newest: PlacedEntry): number {
  const [oldest] = journalEntries(journal);
  const files = [...rotatedParts(journal).map(({ path }) => path), journal];
  const bytes = files.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  const difference = newest.entry.seq - (oldest?.entry.seq ?? 0);
  return Number.isSafeInteger(difference) ? Math.min(Math.max(0, difference), Math.floor(bytes / shortestEntry)) : 0;
}

/** In bytes: its `mac`, and the names of its fields. */
const shortestEntry = 120;

/** Positions of entries in the order in which they were added, with three numbers each. */
class PlaceList {
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

  /** A handwritten journal may repeat a number. */
  newestWith(seq: number, order: 'oldest-first' | 'newest-first'): EntryPlace | undefined {
    return this.at(order === 'oldest-first' ? this.#seqs.lastIndexOf(seq) : this.#seqs.indexOf(seq));
  }

  clear(): void {
    for (const list of [this.#parts, this.#offsets, this.#seqs]) list.length = 0;
  }
}
