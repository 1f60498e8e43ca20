/**
 * The metrics room provides figures for a monitoring system, in the text format of Prometheus.
 *
 * `table.ts` lists the metrics, and `counted.ts` lists the samples that each event of the journal adds. Both are data.
 * Paths, hosts, sessions and texts may not become labels. A label is a word from a fixed list, or one of a limited
 * number of names, so a box cannot create arbitrary labels.
 */
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { type JournalEntry, journalEntries, type JournalPosition, type JournalEvent } from '../audit/index.ts';
import { type EntryPlace, newestEntries, SameJournal } from '../audit/newest-entries.ts';
import { isRunning, supervisorOf } from '../place/host/supervisors.ts';
import { eventSchemaBy } from './choices.ts';
import { countedOf } from './counted.ts';
import { ModelNames } from './model-names.ts';
import { counted, type MetricSample } from './sample.ts';
import { otherName, metricTable, type MetricName, type MetricRow } from './table.ts';

/** Number of the newest entries to read for work that was already open when counting began. */
const lookedBack = 2000;
/** Milliseconds to read at a time, so that clients of the server do not wait. */
const longestStep = 8;
/** Milliseconds to read in all. The next scrape continues. */
const longestRead = 5000;

/**
 * Counts the entries that are added to a journal from now on, by all processes of this user. Reads only on request, and
 * one request at a time.
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
    // If another file replaces the journal after this point, it counts as another journal.
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

  /** `prices`: the next entry is a call of a model, and the price table is not loaded. */
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

/** Whether an entry has the fields that its type needs. The journal may be from another version, or damaged. */
function isWhole(entry: JournalEntry): boolean {
  const schema = eventSchemaBy.get(entry.type);
  return schema !== undefined && v.is(schema, entry);
}

/**
 * Sums by metric and labels. The table and the limits on names bound the number of series. Series whose labels are
 * known in advance start at 0, because Prometheus sees no increase in a series that begins at 1.
 */
export class Counters {
  readonly #sums = new Map<string, { readonly sample: MetricSample; sum: number }>();

  constructor(of: MetricRow['of']) {
    for (const name of Object.keys(metricTable) as readonly MetricName[])
      if (metricTable[name].of === of) this.add(zerosOf(name));
  }

  /** Leaves out values that cannot be added, because a damaged journal may contain any number. */
  add(samples: readonly MetricSample[]): void {
    for (const sample of samples) {
      if (!(sample.value >= 0 && sample.value < Infinity)) continue;
      const key = JSON.stringify([sample.name, Object.values(sample.labels)]);
      const kept = this.#sums.get(key) ?? { sample, sum: 0 };
      kept.sum += sample.value;
      this.#sums.set(key, kept);
    }
  }

  samples(): readonly MetricSample[] {
    return [...this.#sums.values()].map(({ sample, sum }) => ({ ...sample, value: sum }));
  }
}

function zerosOf(name: MetricName): readonly MetricSample[] {
  const { type, labels }: MetricRow = metricTable[name];
  const known = type === 'counter' ? combinations(Object.entries(labels)) : [];
  return known.map((one) => ({ name, labels: one, value: 0 }));
}

/** All combinations of values. Empty if the names of a label are not known in advance. */
function combinations(
  labels: readonly (readonly [string, MetricRow['labels'][string]])[],
): readonly Readonly<Record<string, string>>[] {
  return labels.reduce<readonly Readonly<Record<string, string>>[]>(
    (all, [label, values]) =>
      values === 'few' ? [] : all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

/** Most sessions and questions to remember. Beyond this number, the oldest are forgotten. */
const most = 2000;

/** Open work: running commands and pending questions, derived from their events in order. */
class OpenWork {
  /** Running commands by session, newest last. */
  readonly #running = new Map<string, number>();
  /** Sessions by the hash of a pending question. If two sessions ask the same question, it counts twice. */
  readonly #waiting = new Map<string, string>();

  knows(session: string): boolean {
    return this.#running.has(session);
  }

  take(event: JournalEvent): void {
    switch (event.type) {
      case 'session.start':
        return this.#run(event.session, 1);
      case 'session.end':
        return this.#run(event.session, -1);
      case 'approval.requested':
        return remember(this.#waiting, keyOf(event), event.session);
      case 'approval.resolved':
        return void this.#waiting.delete(keyOf(event));
      default:
    }
  }

  /** Forgets sessions whose supervisor was killed, because no event will end them. */
  now(isAlive: (session: string) => boolean): OpenCounts {
    const alive = new Map([...this.#running].filter(([, count]) => count > 0).map(([id]) => [id, isAlive(id)]));
    for (const [session, lives] of alive) if (!lives) this.#running.set(session, 0);
    const running = [...this.#running.values()].filter((count) => count > 0);
    const living = [...alive].flatMap(([session, lives]) => (lives ? [supervisorOf(session)] : []));
    return {
      sessions: running.length,
      commands: running.reduce((sum, count) => sum + count, 0),
      approvals: [...this.#waiting.values()].filter((session) => alive.get(session) ?? isAlive(session)).length,
      supervisors: [...new Set(living)].filter((pid) => pid !== undefined),
    };
  }

  #run(session: string, change: 1 | -1): void {
    remember(this.#running, session, Math.max(0, (this.#running.get(session) ?? 0) + change));
  }
}

interface OpenCounts {
  readonly sessions: number;
  readonly commands: number;
  readonly approvals: number;
  /** Process IDs of the supervisors. */
  readonly supervisors: readonly number[];
}

function keyOf({ session, hash }: { readonly session: string; readonly hash: string }): string {
  return `${session} ${hash}`;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
