import type { TextFinding } from '../types.ts';
import type { Place, Sequence } from './sequence.ts';

/** A hostile output is one sequence after the other; a report of them all would be as long. */
export const keptFindings = 1000;
const longestPayload = 200;

/** One sequence, for a report. `name` is what is shown of it. */
export function findingOf(sequence: Sequence, place: Place, name: string): TextFinding {
  const decoded = sequence.kind === 'string' ? printable(payloadOf(sequence.payload)) : '';
  return { kind: 'escape-sequence', ...place, what: printable(name), ...(decoded === '' ? {} : { decoded }) };
}

/** What OSC 52 would have put on the clipboard; any other payload as it is. */
function payloadOf(payload: string): string {
  const base64 = /^52;[^;]*;(?<data>[A-Za-z0-9+/]+={0,2})$/u.exec(payload)?.groups?.['data'];
  if (base64 === undefined) return payload;
  try {
    // Some leave the padding out, and what is kept of a payload may end anywhere: one character more is none yet.
    return atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64) || payload;
  } catch {
    return payload;
  }
}

/** Printable ASCII on one line, bounded. */
export function printable(text: string, limit = longestPayload): string {
  const short = text.length > limit ? `${text.slice(0, limit)}...` : text;
  return short.replaceAll(/[^\x20-\x7e]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
