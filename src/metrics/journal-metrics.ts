import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { type JournalEntry, journalEntries, type JournalPosition } from '../audit/index.ts';
import { type EntryPlace, newestEntries } from '../audit/newest-entries.ts';
import { SameJournal } from '../audit/same-journal.ts';
import { isRunning } from '../place/host/supervisors.ts';
import { eventSchemaBy } from './choices.ts';
import { countedOf } from './counted.ts';
import { Counters } from './counters.ts';
import { ModelNames } from './model-names.ts';
import { type OpenCounts, OpenWork } from './open-work.ts';
import { counted, type MetricSample } from './sample.ts';
import { otherName } from './table.ts';

/** Newest entries that tell which work was open when counting began. */
const lookedBack = 2000;
/** Milliseconds at a time, so that clients of the server do not wait. */
const longestStep = 8;
/** Milliseconds in all. The next scrape reads on. */
const longestRead = 5000;

/**
 * Counts the entries that come to a journal from now on, from every process of this user. Reads only when it is asked
 * to, and at most once at a time.
 */
export class JournalMetrics {
  readonly #journal: string;
  readonly #same: SameJournal;
  readonly #counters = new Counters('journal');
  readonly #models = new ModelNames();
  readonly #work = new OpenWork();
  #next: JournalPosition | undefined;
  #reading: Promise<void> | undefined;

  /** Throws `HF_JOURNAL_FAILED` and `HF_STATE_UNWRITABLE`, like `journalEntries`. */
  constructor(journal: string) {
    this.#journal = journal;
    this.#same = new SameJournal(journal);
    const found = newestEntries(journal, { count: lookedBack });
    for (const { entry } of found.toReversed()) if (isWhole(entry)) this.#work.take(entry);
    this.#next = found[0] === undefined ? undefined : placeAfter(journal, found[0]);
    // From here on another file in its place is another journal.
    this.#same.isReplaced(this.#next);
  }

  /** Counts the new entries. Rejects like the constructor. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  counters(): readonly MetricSample[] {
    return this.#counters.samples();
  }

  open(isAlive: (session: string) => boolean = isRunning): OpenCounts {
    return this.#work.now(isAlive);
  }

  async #read(): Promise<void> {
    if (this.#same.isReplaced(this.#next)) this.#next = undefined;
    const end = performance.now() + longestRead;
    for (let rest = this.#step(); rest !== 'none' && performance.now() < end; rest = this.#step())
      await (rest === 'more' ? setImmediate() : this.#models.complete());
  }

  /** `prices`: a call of a model comes next, and the price table is not loaded. */
  #step(): 'more' | 'prices' | 'none' {
    const until = performance.now() + longestStep;
    const from = this.#next === undefined ? {} : { from: this.#next };
    for (const { entry, next } of journalEntries(this.#journal, from)) {
      if (entry.type === 'model' && !this.#models.isComplete) return 'prices';
      this.#take(entry);
      this.#next = next;
      if (performance.now() > until) return 'more';
    }
    return 'none';
  }

  #take(entry: JournalEntry): void {
    const { type } = entry;
    this.#counters.add([
      counted('holdfast_journal_entries_total', { type: eventSchemaBy.has(type) ? type : otherName }),
    ]);
    if (!eventSchemaBy.has(type)) return;
    if (!isWhole(entry)) return this.#counters.add([counted('holdfast_journal_unread_entries_total', {})]);
    const isNew = (session: string): boolean => !this.#work.knows(session);
    this.#counters.add(countedOf(entry, { models: this.#models, isNew }));
    this.#work.take(entry);
  }
}

function placeAfter(journal: string, place: EntryPlace): JournalPosition | undefined {
  const [found] = journalEntries(journal, { from: { ...place, line: 1 } });
  return found?.next;
}

/** Whether an entry has the fields that its type needs: the journal may be of another version, or damaged. */
function isWhole(entry: JournalEntry): boolean {
  const schema = eventSchemaBy.get(entry.type);
  return schema !== undefined && v.is(schema, entry);
}
