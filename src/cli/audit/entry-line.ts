import type { JournalEntry } from '../../audit/index.ts';
import { describeEntry, rawText } from '../../audit/report/describe-entry.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { coloursOf, type CommandInput, isSet, jsonLine } from '../command.ts';

/** Returns a printer of entries: as JSON, or one line each, with colours only on a terminal. */
export function entryPrinter({ values, io }: Pick<CommandInput, 'values' | 'io'>): (entry: JournalEntry) => string {
  if (isSet(values['json'])) return entryJson;
  const colours = coloursOf(io);
  return (entry) => entryLine(entry, colours);
}

/** Returns an entry as JSON on one line. An endlessly nested entry, written by hand, is only named. */
export function entryJson(entry: JournalEntry): string {
  try {
    return jsonLine(entry);
  } catch {
    return jsonLine({ v: entry.v, seq: entry.seq, time: entry.time, type: entry.type, text: rawText(entry) });
  }
}

/** Returns time, session, type and description. All parts of an event are plain text of this line. */
function entryLine(entry: JournalEntry, colours: 'coloured' | 'plain'): string {
  const { session } = entry as { readonly session?: unknown };
  const id = typeof session === 'string' && session !== '' ? session : '-';
  const tone = colours === 'plain' ? undefined : toneOf(entry);
  const type = escapeHidden(entry.type);
  const words = [
    escapeHidden(entry.time),
    escapeHidden(id).slice(0, sessionLength).padEnd(sessionLength),
    tone === undefined ? type : `\u001B[${tone}m${type}\u001B[m`,
    cut(escapeHidden(describeEntry(entry))),
  ];
  return `${words.join('  ')}\n`;
}

/** Enough to tell sessions apart. `--json` has all of it. */
const sessionLength = 8;
const longest = 1000;

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const red = '31';
const yellow = '33';
const boldRed = '1;31';
const tones: Readonly<Record<string, string>> = {
  refusal: red,
  quarantine: red,
  'trust.withheld': red,
  alarm: boldRed,
  'journal.lost': boldRed,
  'approval.requested': yellow,
  'approval.resolved': yellow,
  text: yellow,
};

function toneOf(entry: JournalEntry): string | undefined {
  const { refusal, decision } = entry as { readonly refusal?: unknown; readonly decision?: unknown };
  return refusal !== undefined || decision === 'deny'
    ? red
    : Object.hasOwn(tones, entry.type)
      ? tones[entry.type]
      : undefined;
}
