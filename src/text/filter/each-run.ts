import { isPlainBytes } from '../stream/plain.ts';
import type { TextForm } from '../types.ts';
import { bracketClass, type Classes, classesOf, type HiddenKind, kinds, surrogateClass } from '../unicode/classes.ts';
import { once } from '../unicode/code-point-set.ts';
import { joinSurrogates, pointBefore } from '../unicode/points.ts';
import { flagTags } from '../unicode/tables.ts';
import { bidiKeeper } from './keep/bidi.ts';
import { keepJoiner } from './keep/joiners.ts';
import { keepFiller, keepSelector } from './keep/selectors.ts';

/** Consecutive characters of one kind that are invisible, or look like something else. */
export interface HiddenRun {
  readonly kind: HiddenKind | 'bracket';
  readonly start: number;
  readonly end: number;
}

/** Result of `visit`: whether to go on. */
export type Onward = 'on' | 'stop';

/** Visits each run in order. It makes one pass and keeps nothing, so a hostile text costs no memory. */
export function eachRun(text: string, form: TextForm, visit: (run: HiddenRun) => Onward): void {
  const scanner = { text, classes: classesOf(form), keeper: keeperOf(text, form) };
  let at = firstSuspect(text, form);
  while (at < text.length) {
    const kind = classAt(scanner, at);
    if (kind === 0) {
      at = nextSuspect(scanner, at + unitsAt(scanner, at));
      continue;
    }
    const kept = keptUntil(scanner, at, kind);
    if (kept > at) {
      at = nextSuspect(scanner, kept);
      continue;
    }
    const end = endOfRun(scanner, at, kind);
    if (visit({ kind: kind === bracketClass ? 'bracket' : kindOf(kind), start: at, end }) === 'stop') return;
    at = nextSuspect(scanner, end);
  }
}

interface Scanner {
  readonly text: string;
  readonly classes: Classes;
  readonly keeper: Keeper;
}

/** The engine's own search is twice as fast as a loop, and most texts need no other step. */
function firstSuspect(text: string, form: TextForm): number {
  const from = form === 'name' ? 0 : plainPrefix(text);
  const found = (from === 0 ? text : text.slice(from)).search(form === 'name' ? /[^\x20-\x7e]/u : /[^\t\n\x20-\x7e]/u);
  return found === -1 ? text.length : from + found;
}

function nextSuspect({ text, classes }: Scanner, from: number): number {
  const { units } = classes;
  const { length } = text;
  let at = from;
  while (at < length && units[text.charCodeAt(at)] === 0) at++;
  return at;
}

/** Returns the class of the character at `at`. For a surrogate pair it is the class of the whole pair. */
function classAt({ text, classes }: Scanner, at: number): number {
  const unit = text.charCodeAt(at);
  const kind = classes.units[unit]!;
  if (kind !== surrogateClass) return unit === 0x0d && isLineBreak(text, at, classes) ? 0 : kind;
  const low = unit >>> 10 === 0x36 ? text.charCodeAt(at + 1) : Number.NaN;
  return low >>> 10 === 0x37 ? classes.ofPair(joinSurrogates(unit, low)) : surrogateClass;
}

/** A CR is part of a line break only before LF, and only in forms that have lines. */
function isLineBreak(text: string, at: number, classes: Classes): boolean {
  return text.charCodeAt(at + 1) === 0x0a && classes.crlf === 'ends-a-line';
}

function keptUntil({ text, keeper }: Scanner, at: number, kind: number): number {
  if (kind === bracketClass) return text.startsWith('U+', at + 1) ? at : at + 1;
  return keeper(kindOf(kind), at);
}

function endOfRun(scanner: Scanner, start: number, kind: number): number {
  if (kind === bracketClass) return start + 1;
  let at = start + unitsAt(scanner, start);
  while (at < scanner.text.length && classAt(scanner, at) === kind && keptUntil(scanner, at, kind) === at)
    at += unitsAt(scanner, at);
  return at;
}

function unitsAt({ text }: Scanner, at: number): number {
  return text.charCodeAt(at) >>> 10 === 0x36 && text.charCodeAt(at + 1) >>> 10 === 0x37 ? 2 : 1;
}

function kindOf(value: number): HiddenKind {
  return kinds[value - 1]!;
}

const piece = 32_768;

/**
 * Returns how many characters at the start, in whole pieces, are known to be printable ASCII, tab or line feed. The
 * engine writes them as bytes, and checking bytes is three times as fast as searching a string. Zero for short texts.
 */
export function plainPrefix(text: string): number {
  if (text.length < piece) return 0;
  const bytes = new Uint8Array(piece);
  const encoder = new TextEncoder();
  let at = 0;
  while (at + piece <= text.length) {
    const { read, written } = encoder.encodeInto(text.slice(at, at + piece), bytes);
    if (read !== piece || written !== piece || !isPlainBytes(bytes)) break;
    at += piece;
  }
  return at;
}

/** Returns the end of a legitimate sequence that begins at `at`, and otherwise `at` itself. */
type Keeper = (kind: HiddenKind, at: number) => number;

/**
 * Each keeper looks only at visible characters, so removing a hidden character that was not kept changes no other
 * answer.
 */
function keeperOf(text: string, form: TextForm): Keeper {
  if (form === 'command') return (_kind, at) => at;
  const keepBidi = form === 'prose' ? bidiKeeper(text) : undefined;
  return (kind, at) => {
    switch (kind) {
      case 'bidi':
        return keepBidi?.(at) === true ? at + 1 : at;
      case 'invisible':
        return keepJoiner(text, at);
      case 'variation-selector':
        return keepSelector(text, at);
      case 'tag':
        return keepFlagTags(text, at);
      case 'filler':
        return keepFiller(text, at, form) ? at + 1 : at;
      case 'annotation':
      case 'separator':
      case 'control':
      case 'noncharacter':
      case 'surrogate':
        return at;
      default:
        return kind satisfies never;
    }
  };
}

const blackFlag = 0x1f3f4;

/** Returns where the tags of the flag of England, Scotland or Wales end. Any other sequence of tags is hidden. */
export function keepFlagTags(text: string, at: number): number {
  if (pointBefore(text, at) !== blackFlag) return at;
  const tags = known().find((sequence) => text.startsWith(sequence, at));
  return tags === undefined ? at : at + tags.length;
}

const known = once(() =>
  flagTags
    .split(' ')
    .map((ascii) => [...ascii, '\u007f'].map((char) => String.fromCodePoint(0xe0000 + char.codePointAt(0)!)).join('')),
);

/**
 * Escapes one line of a file for a diff. Hidden characters, and all control characters except tab, become `\u{…}`.
 * Emoji and right-to-left words stay. Backslashes stay too, so the result is only for people to read.
 */
export function escapeRuns(line: string): string {
  if (/^[\t\x20-\x7e]*$/u.test(line)) return line;
  let shown = '';
  let from = 0;
  eachRun(line, 'code', ({ kind, start, end }) => {
    if (kind === 'bracket') return 'on';
    shown += line.slice(from, start) + line.slice(start, end).replaceAll(/[^]/gu, escaped);
    from = end;
    return 'on';
  });
  // Escapes a CR at the end of a line, and the line break itself.
  return (shown + line.slice(from)).replaceAll(/(?!\t)\p{Cc}/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
