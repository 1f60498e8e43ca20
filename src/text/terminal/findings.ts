import type { TextFinding } from '../types.ts';

/** What the state machine has read besides plain text. Offsets are told beside it. */
export type Sequence =
  /** One character of C0 or C1 that stands by itself, tab and line feed apart. */
  | { readonly kind: 'control'; readonly code: number }
  /** ESC, intermediates, final: `(B`, `c`. C1 characters come as their ESC form. */
  | { readonly kind: 'escape'; readonly what: string }
  | { readonly kind: 'csi'; readonly parameters: string; readonly intermediates: string; readonly final: string }
  | {
      readonly kind: 'string';
      readonly introducer: Introducer;
      readonly payload: string;
      readonly length: number;
      readonly end: StringEnd;
    }
  /** Begun and given up: CAN, SUB, a character that cannot stand there, too long, or the end of the text. */
  | { readonly kind: 'broken'; readonly what: string };

export type Introducer = 'OSC' | 'DCS' | 'APC' | 'PM' | 'SOS';

/** `cut`: nothing terminated it, and nothing of its payload is text. */
export type StringEnd = 'terminated' | 'cut';

/** Where a sequence stood, in UTF-16 code units since the first chunk. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Who takes what the state machine reads, in order. Texts hold neither C0 nor C1, tab and line feed apart. */
export interface Reader {
  readonly text: (text: string) => void;
  readonly sequence: (sequence: Sequence, place: Place) => void;
  /** `CSI … m` with nothing but digits and semicolons, most of what programs write; without this they are skipped. */
  readonly colours: ((parameters: string, place: Place) => void) | undefined;
}

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
