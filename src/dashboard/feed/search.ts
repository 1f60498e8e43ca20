import type { JournalEntry } from '../../audit/index.ts';
import { parsePhrases, queryJournal, type EventFilter, type Phrase } from '../../audit/index-db/index.ts';
import { HoldfastError } from '../../errors/index.ts';

export interface Wanted {
  /** As `holdfast audit query` takes it; the last word may be the beginning of one. Empty: all. */
  readonly text: string;
  /** Empty: all. */
  readonly types: readonly string[];
  /** Empty: all. */
  readonly session: string;
}

export interface Found {
  /** Oldest first: the newest that match, up to some thousands. */
  readonly entries: readonly JournalEntry[];
  /** There are older ones. */
  readonly more: boolean;
}

/** Answers by the index of the journal, and keeps the last answer: a page scrolls through one. */
export class Search {
  readonly #journal: string;
  #last: { readonly key: string; readonly found: Found } | undefined;

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** `version`: the answer holds as long as it stays the same. Throws `HF_USAGE` for words that cannot be looked for. */
  find(wanted: Wanted, version: number): Found {
    const key = JSON.stringify([wanted, version]);
    if (this.#last?.key !== key) this.#last = { key, found: queryJournal(this.#journal, { filter: filterOf(wanted), limit: most }) };
    return this.#last.found;
  }
}

const most = 5000;

function filterOf({ text, types, session }: Wanted): EventFilter {
  return { ...(types.length === 0 ? {} : { types }), ...(session === '' ? {} : { session }), ...(text.trim() === '' ? {} : { words: phrasesOf(text.trim()) }) };
}

/** Whoever types has not yet written the last word to its end. */
function phrasesOf(text: string): readonly Phrase[] {
  const phrases = parsePhrases(/[*"]$/u.test(text) ? text : `${text}*`);
  if (!('kind' in phrases)) return phrases;
  throw new HoldfastError('HF_USAGE', phrases.message, { remedy: phrases.remedy });
}
