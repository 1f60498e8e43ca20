import type { TextFinding } from '../types.ts';
import {
  controlNames,
  csiNames,
  escapeNames,
  lineControls,
  lineEscapes,
  paintingModes,
  silentControls,
  silentEscapes,
  silentOsc,
} from './sequence-names.ts';

/** Replacement of a sequence. */
export type SequenceText =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'line' }
  /** Returns to the start of the line. The text after it would cover the line. */
  | { readonly kind: 'return' }
  | { readonly kind: 'colours'; readonly parameters: string }
  /** Begins a link. An empty target ends it. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'mark'; readonly name: string };

/**
 * Returns nothing for control sequences that do not change text on the screen. Returns the name of those that would
 * have repainted the screen, written somewhere or sent an answer.
 */
export function describe(sequence: Sequence): SequenceText {
  switch (sequence.kind) {
    case 'control':
      return control(sequence.code);
    case 'escape':
      return escape(sequence.what);
    case 'csi':
      return csi(sequence);
    case 'string':
      return string(sequence);
    case 'broken':
      return mark(`${sequence.what} broken off`);
  }
}

function control(code: number): SequenceText {
  if (code === 0x0d) return { kind: 'return' };
  if (lineControls.includes(code)) return { kind: 'line' };
  return silentControls.includes(code) ? { kind: 'nothing' } : mark(controlNames[code] ?? `C0 ${code.toString(16)}`);
}

function escape(what: string): SequenceText {
  if (lineEscapes.includes(what)) return { kind: 'line' };
  return silentEscapes.includes(what) ? { kind: 'nothing' } : mark(escapeNames[what] ?? `ESC ${what}`);
}

function csi({ parameters, intermediates, final }: Extract<Sequence, { kind: 'csi' }>): SequenceText {
  const prefix = /^[<-?]/u.exec(parameters)?.[0] ?? '';
  const key = `${prefix}${intermediates}${final}`;
  if (key === 'm') return { kind: 'colours', parameters };
  // Clears to the end of the line. Only a carriage return leaves text there, and carriage returns are shown.
  if (key === 'K' && /^0*$/u.test(parameters)) return { kind: 'nothing' };
  if (key === '?h' || key === '?l') return privateMode(parameters.slice(1), csiNames[key] ?? key);
  if (final === '~' && /^20[01]$/u.test(parameters)) return mark(parameters === '200' ? 'paste start' : 'paste end');
  return mark(csiNames[key] ?? `CSI ${key}`);
}

function privateMode(modes: string, name: string): SequenceText {
  const painting = modes.split(';').filter((mode) => paintingModes.includes(mode));
  return painting.length === 0 ? { kind: 'nothing' } : mark(`${name} ${painting.slice(0, 4).join(';')}`);
}

function string({ introducer, payload, end, length }: Extract<Sequence, { kind: 'string' }>): SequenceText {
  const command = introducer === 'OSC' ? (/^\d{1,5}/u.exec(payload)?.[0] ?? '') : '';
  const name = command === '' ? introducer : `OSC ${command}`;
  if (end === 'cut') return mark(`${name} unterminated, ${length} dropped`);
  // The payload is longer than its kept part, so the target is unknown, and the sequence does not count as a link.
  if (command === '8' && length <= payload.length) return link(payload) ?? mark(name);
  return introducer === 'OSC' &&
    silentOsc.some(
      (silent) => payload === silent || payload.startsWith(`${silent};`) || payload.startsWith(`${silent}=`),
    )
    ? { kind: 'nothing' }
    : mark(name);
}

/** Parses `8;parameters;target`. A target may contain semicolons. */
function link(payload: string): SequenceText | undefined {
  const found = /^8;[^;]*;(?<target>.*)$/su.exec(payload);
  return found === null ? undefined : { kind: 'link', target: found.groups?.['target'] ?? '' };
}

function mark(name: string): SequenceText {
  return { kind: 'mark', name };
}

/** Everything that the state machine finds besides plain text. Offsets are passed separately. */
export type Sequence =
  /** A single character of C0 or C1, except tab and line feed. */
  | { readonly kind: 'control'; readonly code: number }
  /** ESC, intermediates and final byte: `(B`, `c`. C1 characters are converted to their ESC form. */
  | { readonly kind: 'escape'; readonly what: string }
  | { readonly kind: 'csi'; readonly parameters: string; readonly intermediates: string; readonly final: string }
  | {
      readonly kind: 'string';
      readonly introducer: Introducer;
      readonly payload: string;
      readonly length: number;
      readonly end: StringEnd;
    }
  /** A sequence that began but was abandoned: CAN, SUB, an invalid character, too long, or the end of the text. */
  | { readonly kind: 'broken'; readonly what: string };

export type Introducer = 'OSC' | 'DCS' | 'APC' | 'PM' | 'SOS';

/** `cut`: the string has no terminator, and its payload is not text. */
export type StringEnd = 'terminated' | 'cut';

/** Position of a sequence, in UTF-16 code units since the first chunk. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Receives the state machine's output, in order. Texts contain neither C0 nor C1 characters, except tab and line feed.
 */
export interface TerminalReader {
  readonly text: (text: string) => void;
  readonly sequence: (sequence: Sequence, place: TextSpan) => void;
  /**
   * Receives `CSI … m` with only digits and semicolons, the most frequent sequence. If it is undefined, these are
   * skipped.
   */
  readonly colours: ((parameters: string, place: TextSpan) => void) | undefined;
}

/** Most findings to keep. Hostile output may consist of sequences alone, and a report of all would be just as long. */
export const keptFindings = 1000;
const longestPayload = 200;

/** Returns the finding for one sequence. `name` is the name that is shown. */
export function findingOf(sequence: Sequence, place: TextSpan, name: string): TextFinding {
  const decoded = sequence.kind === 'string' ? printablePayload(payloadOf(sequence.payload)) : '';
  return { kind: 'escape-sequence', ...place, what: printablePayload(name), ...(decoded === '' ? {} : { decoded }) };
}

/** Returns the text that OSC 52 would have put on the clipboard, or any other payload unchanged. */
function payloadOf(payload: string): string {
  const base64 = /^52;[^;]*;(?<data>[A-Za-z0-9+/]+={0,2})$/u.exec(payload)?.groups?.['data'];
  if (base64 === undefined) return payload;
  try {
    // Some programs leave out the padding, and the kept part of a payload may end anywhere. One extra character encodes
    // nothing.
    return atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64) || payload;
  } catch {
    return payload;
  }
}

/** Printable ASCII on one line, of bounded length. */
export function printablePayload(text: string, limit = longestPayload): string {
  const short = text.length > limit ? `${text.slice(0, limit)}...` : text;
  return short.replaceAll(/[^\x20-\x7e]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
