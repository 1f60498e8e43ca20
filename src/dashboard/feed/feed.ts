import type { JournalEntry } from '../../audit/index.ts';
import type { EventFilter } from '../../audit/index-db/filter.ts';
import { parsePhrases, type Phrase } from '../../audit/index-db/phrases.ts';
import { queryJournal } from '../../audit/index-db/query-journal.ts';
import { collectReport } from '../../audit/report/collect-report.ts';
import { describeEntry, toneOfEntry } from '../../audit/report/describe-entry.ts';
import { reportHtml } from '../../audit/report/html.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { EventDetail, EventPage, EventRow, JournalExtent, Summary } from '../wire.ts';
import { JournalPlaces } from './places.ts';
import { shownOnPage, shownJson } from './network-tally.ts';
import { EventTally } from './tally.ts';
import type { ReadSettings } from '../usage/budget-lines.ts';
import type { UsageQuery, UsageReport } from '../usage/types.ts';
import { UsageAnswers } from '../usage/usage.ts';

export interface EventQuery extends Wanted {
  /**
   * Index of the first event among the matches, from 0 for the oldest. `newest` means the last page and the one before
   * it. Pages have `count` events, counted from the oldest.
   */
  readonly from: number | 'newest';
  readonly count: number;
}

/** The journal as the page sees it. Reads the files only on request. */
export class Feed {
  readonly #journal: string;
  readonly #places: JournalPlaces;
  readonly #search: Search;
  readonly #usage: UsageAnswers;
  #tally = new EventTally();
  #generation = 0;
  #waiting: readonly Waiting[] = [];

  constructor(journal: string, settings: ReadSettings = noSettings) {
    this.#journal = journal;
    this.#usage = new UsageAnswers(settings);
    this.#places = new JournalPlaces(journal);
    this.#search = new Search(journal);
  }

  /** The number of events, the number read so far, and how often another journal replaced this one. */
  get extent(): JournalExtent {
    return { total: this.#places.count, read: this.#places.known, generation: this.#generation };
  }

  /** Reads some new entries, and some entries older than all known ones. */
  refresh(): { readonly news: boolean; readonly rest: 'more' | 'none' } {
    const { entries, rest, change } = this.#places.step(longestStep);
    if (change !== 'none') this.#generation += 1;
    if (change === 'replaced') this.#tally = new EventTally();
    this.#tally.add(entries);
    const reached = rest === 'none' ? 0 : this.#places.count - this.#places.known;
    for (const { place, resolve } of this.#waiting) if (place >= reached) resolve();
    this.#waiting = this.#waiting.filter(({ place }) => place < reached);
    return { news: change !== 'none' || entries.length > 0, rest };
  }

  summary(): Summary {
    return this.#tally.summary();
  }

  /** Sums of the entries read so far. */
  usage(query: UsageQuery): Promise<UsageReport> {
    return this.#usage.report(this.#tally.calls, query);
  }

  /** Rejects with `HF_USAGE` for invalid search words, and with the errors of the journal's index. */
  async page({ from, count, ...wanted }: EventQuery): Promise<EventPage> {
    if (wanted.text.trim() === '' && wanted.types.length === 0 && wanted.session === '')
      return this.#pageOfAll(from, count);
    const { entries, more } = this.#search.find(wanted, this.#places.count);
    const first = firstOf(from, count, entries.length);
    return {
      total: entries.length,
      more,
      from: first,
      rows: entries.slice(first, from === 'newest' ? undefined : first + count).map(describeEvent),
    };
  }

  async detail(seq: number): Promise<EventDetail | undefined> {
    if (this.#places.withSeq(seq) === undefined) await this.#reached(0);
    const entry = this.#places.withSeq(seq);
    return entry === undefined ? undefined : { row: describeEvent(entry), json: shownJson(withoutChain(entry)) };
  }

  /** Returns a separate page, without script, about one session. */
  report(session: string): string {
    const { entries, more } = queryJournal(this.#journal, { filter: { session }, limit: longestReport });
    return [
      ...reportHtml(
        collectReport({
          session,
          entries,
          ...(more ? { journal: `only the last ${longestReport} events of it` } : {}),
        }),
      ),
    ].join('');
  }

  async #pageOfAll(from: number | 'newest', count: number): Promise<EventPage> {
    const first = firstOf(from, count, this.#places.count);
    await this.#reached(first);
    const rows = this.#places.read(first, from === 'newest' ? 2 * count : count);
    return { total: this.#places.count, more: false, from: first, rows: rows.map(describeEvent) };
  }

  /**
   * Resolves when the event at `place` can be read. The owner of this feed must refresh until nothing is left to read.
   */
  async #reached(place: number): Promise<void> {
    if (place < this.#places.count - this.#places.known)
      await new Promise<void>((resolve) => (this.#waiting = [...this.#waiting, { place, resolve }]));
  }
}

const noSettings: ReadSettings = async () => ({ budgets: [] });

interface Waiting {
  readonly place: number;
  readonly resolve: () => void;
}

function firstOf(from: number | 'newest', count: number, total: number): number {
  return from === 'newest' ? Math.max(0, Math.ceil(total / count) - 2) * count : from;
}

/** Milliseconds, which is also the longest wait of a request meanwhile. */
const longestStep = 8;
const longestReport = 100_000;

function withoutChain(entry: JournalEntry): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !ofTheChain.includes(name)));
}

/** Fields that describe no event. */
const ofTheChain: readonly string[] = ['v', 'prev', 'mac'];

/** Returns one event as a line of a list. Never throws, for any journal. */
function describeEvent(entry: JournalEntry): EventRow {
  const { session = '' } = entry as { readonly session?: unknown };
  return {
    seq: entry.seq,
    time: shownOnPage(entry.time, 40),
    type: shownOnPage(entry.type, 60),
    tone: toneOfEntry(entry),
    title: shownOnPage(describeEntry(entry)),
    session: shownOnPage(session, 80),
  };
}

interface Wanted {
  /** Search words, as `holdfast audit query` takes them. The last one may be the start of a word. Empty: all events. */
  readonly text: string;
  /** Empty: all types. */
  readonly types: readonly string[];
  /** Empty: all sessions. */
  readonly session: string;
}

interface Found {
  /** The newest matches, oldest first, up to a few thousand. */
  readonly entries: readonly JournalEntry[];
  /** Whether there are older matches. */
  readonly more: boolean;
}

/** Answers with the index of the journal, and keeps the last answer, because a page scrolls through one answer. */
class Search {
  readonly #journal: string;
  #last: { readonly key: string; readonly found: Found } | undefined;

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** `version`: the answer stays valid until it changes. Throws `HF_USAGE` for words that cannot be searched for. */
  find(wanted: Wanted, version: number): Found {
    const key = JSON.stringify([wanted, version]);
    if (this.#last?.key !== key)
      this.#last = { key, found: queryJournal(this.#journal, { filter: filterOf(wanted), limit: most }) };
    return this.#last.found;
  }
}

const most = 5000;

function filterOf({ text, types, session }: Wanted): EventFilter {
  return {
    ...(types.length === 0 ? {} : { types }),
    ...(session === '' ? {} : { session }),
    ...(text.trim() === '' ? {} : { words: phrasesOf(text.trim()) }),
  };
}

/** While someone types, the last word may be incomplete. */
function phrasesOf(text: string): readonly Phrase[] {
  const phrases = parsePhrases(/[*"]$/u.test(text) ? text : `${text}*`);
  if (!('kind' in phrases)) return phrases;
  throw new HoldfastError('HF_USAGE', phrases.message, { remedy: phrases.remedy });
}
