import { escapeHidden } from '../../text/escape-hidden.ts';

/** The events of a session, ready to be rendered. Its texts are the events' own, so the renderer must escape them. */
export interface SessionReport {
  readonly session: string;
  readonly facts: readonly Fact[];
  readonly timeline: Timeline;
  /** Only sections with items. */
  readonly sections: readonly ReportSection[];
}

export interface Fact {
  readonly label: string;
  readonly text: string;
}

export interface ReportSection {
  readonly title: string;
  readonly items: readonly ReportItem[];
  /** Number of entries of further items, which are not listed one by one. */
  readonly left: number;
}

export interface ReportItem {
  readonly title: string;
  readonly tone: Tone;
  readonly facts: readonly Fact[];
}

/** Ascending in weight. A mark on the timeline has the heaviest tone of its entries. */
export const tones = ['calm', 'asked', 'refused', 'alarm'] as const;
export type Tone = (typeof tones)[number];

export const lanes = ['session', 'files and commands', 'network', 'approvals', 'credentials', 'text', 'other'] as const;
export type Lane = (typeof lanes)[number];

export interface Timeline {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly marks: readonly TimelineMark[];
}

/** One entry, or several close together. */
export interface TimelineMark {
  readonly lane: Lane;
  readonly tone: Tone;
  readonly at: number;
  readonly entries: number;
  /** Title of the first entry. */
  readonly title: string;
}

/** Marks of the timeline in a list. */
const mostMarks = 200;

/**
 * Returns a report as Markdown (CommonMark). Every text of an event is a code span, in which nothing is HTML, a link or
 * an image.
 */
export function* reportMarkdown({
  session,
  facts,
  sections,
  timeline,
}: SessionReport): Generator<string, void, undefined> {
  yield `# Session ${codeSpan(session)}\n\n${factLines(facts, '')}`;
  for (const section of sections) yield* sectionMarkdown(section);
  if (timeline.marks.length === 0) return;
  yield `\n## Timeline\n\n${timeline.marks.slice(0, mostMarks).map(markLine).join('')}`;
  if (timeline.marks.length > mostMarks) yield `\nand ${timeline.marks.length - mostMarks} later ones\n`;
}

function* sectionMarkdown({ title, items, left }: ReportSection): Generator<string, void, undefined> {
  yield `\n## ${title}\n\n`;
  for (const item of items) yield itemMarkdown(item);
  if (left > 0) yield `\nand ${left} entries of further ones\n`;
}

function itemMarkdown({ title, tone, facts }: ReportItem): string {
  return `- ${tone === 'alarm' ? '**alarm** ' : ''}${codeSpan(title)}\n${factLines(facts, '  ')}`;
}

function factLines(facts: readonly Fact[], indent: string): string {
  return facts.map(({ label, text }) => `${indent}- ${label}: ${codeSpan(text)}\n`).join('');
}

function markLine({ at, lane, tone, entries, title }: TimelineMark): string {
  return `- ${new Date(at).toISOString()} ${lane}${tone === 'calm' ? '' : `, ${tone}`}${entries > 1 ? `, ${entries} entries from` : ''}: ${codeSpan(title)}\n`;
}

/**
 * Returns a text as a code span of one line. Its fence is longer than any run of backticks within, so that the text
 * cannot close it. A blank, which a renderer takes away, separates a backtick at an end from the fence. See
 * https://spec.commonmark.org/0.31.2/#code-spans
 */
function codeSpan(text: string): string {
  const line = escapeHidden(text);
  if (line.trim() === '') return '`""`';
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const blank = /^[` ]|[` ]$/u.test(line) ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}
