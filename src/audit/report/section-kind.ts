import type { JournalEntry } from '../entries.ts';
import type { JournalEvent } from '../events.ts';
import type { Fact, ReportItem, Tone } from './types.ts';

export type EntryOf<Type extends JournalEvent['type']> = Extract<JournalEntry, { readonly type: Type }>;

/** The rule that turns entries of some types into the items of one section. Entries with the same key are one item. */
export interface SectionKind {
  readonly title: string;
  readonly types: readonly JournalEvent['type'][];
  readonly keyOf: (entry: JournalEntry) => string;
  readonly start: (entry: JournalEntry) => ItemBuilder;
}

export interface ItemBuilder {
  readonly add: (entry: JournalEntry) => void;
  readonly build: () => ReportItem;
}

export interface Kind<Type extends JournalEvent['type']> {
  readonly title: string;
  readonly types: readonly Type[];
  readonly keyOf: (entry: EntryOf<Type>) => string;
  readonly start: (first: EntryOf<Type>) => {
    readonly add: (entry: EntryOf<Type>) => void;
    readonly build: () => ReportItem;
  };
}

/** A kind gets only entries of its types. */
export function kind<Type extends JournalEvent['type']>(definition: Kind<Type>): SectionKind {
  return definition as unknown as SectionKind;
}

/** Returns an item that counts repeats, and describes the first. */
export function countedItem<Entry extends JournalEntry>(
  tone: Tone,
  tell: (first: Entry) => { readonly title: string; readonly facts: readonly Fact[] },
) {
  return (first: Entry): { readonly add: () => void; readonly build: () => ReportItem } => {
    const { title, facts } = tell(first);
    let count = 0;
    return {
      add: () => void (count += 1),
      build: () => ({
        title,
        tone,
        facts: [
          ...facts,
          fact(count === 1 ? 'when' : 'first', first.time),
          ...(count === 1 ? [] : [fact('times', String(count))]),
        ],
      }),
    };
  };
}

export function fact(label: string, text: string): Fact {
  return { label, text };
}

/** Leaves out facts without a text. */
export function facts(texts: Readonly<Record<string, string | undefined>>): readonly Fact[] {
  return Object.entries(texts).flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [fact(label, text)],
  );
}
