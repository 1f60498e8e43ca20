import type { JournalEntry } from '../../audit/index.ts';
import { describeEntry, rawText, toneOfEntry } from '../../audit/report/describe-entry.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { type CommandInput, isSet, jsonLine } from '../command.ts';
import { colourOf, type Look, lookOf, inColour, signOf } from '../terminal/look.ts';

/** Returns a printer of entries: as JSON, or one line each, with signs and colours only on a terminal. */
export function entryPrinter({ values, io }: Pick<CommandInput, 'values' | 'io'>): (entry: JournalEntry) => string {
  if (isSet(values['json'])) return entryJson;
  const look = lookOf(io);
  return (entry) => entryLine(entry, look);
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
function entryLine(entry: JournalEntry, look: Look): string {
  const { session } = entry as { readonly session?: unknown };
  const id = typeof session === 'string' && session !== '' ? session : '-';
  const words = [
    escapeHidden(entry.time),
    escapeHidden(id).slice(0, sessionLength).padEnd(sessionLength),
    typeText(entry, look),
    cut(escapeHidden(describeEntry(entry))),
  ];
  return `${words.join('  ')}\n`;
}

function typeText(entry: JournalEntry, look: Look): string {
  const tone = toneOfEntry(entry);
  const type = escapeHidden(entry.type);
  if (look.reader === 'pipe') return type;
  return inColour(`${signOf(tone, look).padEnd(1)} ${type.padEnd(typeLength)}`, colourOf(tone), look);
}

/** The length of `approval.requested`, the longest of the frequent types. */
const typeLength = 18;
/** Enough to tell sessions apart. `--json` has all of it. */
const sessionLength = 8;
const longest = 1000;

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
