/**
 * What happened, for people: an entry in one line, a session as Markdown and as one page.
 *
 * Pure: entries come in, text goes out. Texts of events are the work of whoever wants to be misread, and stay text in every
 * form: nothing of them is markup, runs, or is fetched. Files, terminals and the network may not enter.
 */
export { collectReport } from './collect-report.ts';
export { describeCounts } from './counts.ts';
export { describeEntry, inputOf, isKnown, milliseconds, rawText } from './describe-entry.ts';
export { reportHtml } from './html.ts';
export { reportMarkdown } from './markdown.ts';
export { techniquesIn } from './techniques-section.ts';
export type { SessionReport } from './types.ts';
