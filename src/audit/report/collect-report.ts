import type { JournalEntry } from '../entries.ts';
import { describeEntry, isKnown, jsonOf, milliseconds } from './describe-entry.ts';
import type { ItemBuilder, SectionKind } from './section-kind.ts';
import { otherEntries, sectionKinds, TechniquesSection } from './sections.ts';
import {
  type Fact,
  type Lane,
  type TimelineMark,
  type ReportItem,
  type ReportSection,
  type SessionReport,
  type Timeline,
  type Tone,
  tones,
} from './types.ts';

export interface ReportOptions {
  readonly session: string;
  /** Entries of the journal in order. Those of other sessions are left out. */
  readonly entries: Iterable<JournalEntry>;
  /** One line about the state of the journal itself. Default: it was not checked. */
  readonly journal?: string;
}

/** Reads the entries once. The size of the report is bounded, however many there are. */
export function collectReport({ session, entries, journal }: ReportOptions): SessionReport {
  const head = new Head();
  const timeline = new TimelineBuilder();
  const sections = new Map<SectionKind, SectionBuilder>(
    [...sectionKinds, otherEntries].map((kind) => [kind, new SectionBuilder(kind)]),
  );
  const techniques = new TechniquesSection();
  for (const entry of entries) {
    if ((entry as { readonly session?: unknown }).session !== session) continue;
    head.add(entry);
    techniques.add(entry);
    timeline.add({
      ...placeOf(entry),
      at: Date.parse(entry.time) || 0,
      title: cut(`${entry.type}: ${describeEntry(entry)}`),
    });
    if (entry.type !== 'session.start' && entry.type !== 'session.end') addTo(sections, entry);
  }
  return {
    session,
    facts: [...head.facts(), ...(journal === undefined ? [] : [{ label: 'journal', text: journal }])],
    timeline: timeline.build(),
    sections: [...[...sections.values()].map((section) => section.build()), techniques.build()].filter(
      ({ items }) => items.length > 0,
    ),
  };
}

const longestTitle = 300;
/** Items of a section listed one by one. */
const mostItems = 500;

function cut(text: string): string {
  return text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text;
}

function addTo(sections: ReadonlyMap<SectionKind, SectionBuilder>, entry: JournalEntry): void {
  const kind = isKnown(entry) ? sectionKinds.find(({ types }) => types.includes(entry.type)) : undefined;
  try {
    sections.get(kind ?? otherEntries)?.add(entry);
  } catch {
    // Fields that every event has are missing, so the line is handwritten.
    sections.get(otherEntries)?.add(entry);
  }
}

class SectionBuilder {
  readonly #kind: SectionKind;
  readonly #items = new Map<string, ItemBuilder>();
  #left = 0;

  constructor(kind: SectionKind) {
    this.#kind = kind;
  }

  add(entry: JournalEntry): void {
    const key = this.#kind.keyOf(entry);
    let item = this.#items.get(key);
    if (item === undefined && this.#items.size >= mostItems) {
      this.#left += 1;
      return;
    }
    const known = item;
    item ??= this.#kind.start(entry);
    item.add(entry);
    // Builds the item now, so that invalid fields fail here, where the entry can still be listed among the others.
    if (known === undefined) item.build();
    this.#items.set(key, item);
  }

  build(): ReportSection {
    return {
      title: this.#kind.title,
      items: Array.from(this.#items.values(), (item) => onlyTexts(item.build())),
      left: this.#left,
    };
  }
}

/** A handwritten line may have any value in place of texts. */
function onlyTexts({ title, tone, facts }: ReportItem): ReportItem {
  return { title: textOf(title), tone, facts: facts.map(({ label, text }) => ({ label, text: textOf(text) })) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

/** The commands of a session: one with `holdfast run`, any number in a program. */
class Head {
  #first: JournalEntry | undefined;
  #last: JournalEntry | undefined;
  #entries = 0;
  readonly #starts: string[] = [];
  readonly #ends: string[] = [];
  #started = 0;
  #ended = 0;

  add(entry: JournalEntry): void {
    this.#entries += 1;
    this.#last = entry;
    this.#first ??= entry;
    if (entry.type === 'session.start' && this.#started++ < mostCommands)
      this.#starts.push(describeEntry(entry).replace(/^begins: /u, ''));
    if (entry.type === 'session.end' && this.#ended++ < mostCommands)
      this.#ends.push(describeEntry(entry).replace(/^ends /u, ''));
  }

  facts(): readonly Fact[] {
    const {
      time: from = '',
      workspace = '',
      backend,
      policy,
      uid,
    } = (this.#first ?? {}) as Readonly<Record<string, unknown>>;
    const to = this.#last?.time ?? '';
    const span = Date.parse(to) - Date.parse(textOf(from));
    const told = {
      workspace,
      backend,
      user: uid,
      policy,
      from,
      to,
      duration: Number.isNaN(span) ? '' : milliseconds(span),
      entries: this.#entries,
      'still running': Math.max(0, this.#started - this.#ended) || undefined,
    };
    const commands = this.#starts.map((text) => ({ label: 'command', text }));
    return [
      ...Object.entries(told).flatMap(([label, value]) =>
        value === undefined || value === '' ? [] : [{ label, text: textOf(value) }],
      ),
      ...commands,
      ...this.#ends.map((text) => ({ label: 'end', text })),
    ];
  }
}

const mostCommands = 50;

const placesOfTypes: Readonly<Record<string, { readonly lane: Lane; readonly tone: Tone }>> = {
  'session.start': { lane: 'session', tone: 'calm' },
  'session.end': { lane: 'session', tone: 'calm' },
  'policy.narrow': { lane: 'session', tone: 'calm' },
  'code.run': { lane: 'files and commands', tone: 'calm' },
  refusal: { lane: 'files and commands', tone: 'refused' },
  enforcement: { lane: 'files and commands', tone: 'calm' },
  quarantine: { lane: 'files and commands', tone: 'refused' },
  connection: { lane: 'network', tone: 'calm' },
  request: { lane: 'network', tone: 'calm' },
  statement: { lane: 'network', tone: 'calm' },
  model: { lane: 'network', tone: 'calm' },
  dlp: { lane: 'credentials', tone: 'asked' },
  credential: { lane: 'credentials', tone: 'calm' },
  alarm: { lane: 'credentials', tone: 'alarm' },
  'approval.requested': { lane: 'approvals', tone: 'asked' },
  'approval.resolved': { lane: 'approvals', tone: 'asked' },
  'trust.withheld': { lane: 'approvals', tone: 'refused' },
  'bundle.enforced': { lane: 'session', tone: 'calm' },
  'bundle.refused': { lane: 'session', tone: 'refused' },
  text: { lane: 'text', tone: 'asked' },
};

function placeOf(entry: JournalEntry): { readonly lane: Lane; readonly tone: Tone } {
  const place = Object.hasOwn(placesOfTypes, entry.type) ? placesOfTypes[entry.type] : undefined;
  const { refusal, decision } = entry as { readonly refusal?: unknown; readonly decision?: unknown };
  const isRefused = refusal !== undefined || decision === 'deny' || decision === 'block';
  return { lane: place?.lane ?? 'other', tone: isRefused ? 'refused' : (place?.tone ?? 'calm') };
}

interface Happening {
  readonly lane: Lane;
  readonly tone: Tone;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly title: string;
}

/** Marks beyond the page's width in pixels would not be visible. */
const mostMarks = 1000;

/** Combines any number of entries into few marks. While there are too many, marks become twice as wide. */
export class TimelineBuilder {
  #marks = new Map<string, TimelineMark>();
  /** Milliseconds that one mark covers. */
  #width = 1;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  add(happening: Happening): void {
    this.#from = Math.min(this.#from, happening.at);
    this.#to = Math.max(this.#to, happening.at);
    this.#put({ ...happening, entries: 1 });
    while (this.#marks.size > mostMarks) this.#widen();
  }

  build(): Timeline {
    const isEmpty = this.#marks.size === 0;
    return {
      from: isEmpty ? 0 : this.#from,
      to: isEmpty ? 0 : this.#to,
      marks: [...this.#marks.values()].toSorted((a, b) => a.at - b.at),
    };
  }

  #put(mark: TimelineMark): void {
    const key = `${Math.floor(mark.at / this.#width)} ${mark.lane}`;
    const known = this.#marks.get(key);
    this.#marks.set(
      key,
      known === undefined
        ? mark
        : { ...known, tone: heavier(known.tone, mark.tone), entries: known.entries + mark.entries },
    );
  }

  #widen(): void {
    const marks = this.#marks.values();
    this.#width *= 2;
    this.#marks = new Map();
    for (const mark of marks) this.#put(mark);
  }
}

function heavier(a: Tone, b: Tone): Tone {
  return tones.indexOf(a) < tones.indexOf(b) ? b : a;
}
