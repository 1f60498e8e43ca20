import type { TextForm } from '../types.ts';
import { bracketClass, type Classes, classesOf, type HiddenKind, kinds, surrogateClass } from '../unicode/classes.ts';
import { joinSurrogates } from '../unicode/points.ts';
import { type Keeper, keeperOf } from './keep/keeper.ts';
import { plainPrefix } from './plain-prefix.ts';

/** Characters of one kind, one after the other, that show nothing or something else than they are. */
export interface HiddenRun {
  readonly kind: HiddenKind | 'bracket';
  readonly start: number;
  readonly end: number;
}

/** What `visit` answers: whether the rest is wanted. */
export type Onward = 'on' | 'stop';

/** Tells each run in order. One pass; nothing is kept, so that a hostile text costs no memory. */
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

/** The engine's own search is twice as fast as a loop, and most texts are nothing but this. */
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

/** The class of the character at `at`: of the pair, where it is one. */
function classAt({ text, classes }: Scanner, at: number): number {
  const unit = text.charCodeAt(at);
  const kind = classes.units[unit]!;
  if (kind !== surrogateClass) return unit === 0x0d && isLineBreak(text, at, classes) ? 0 : kind;
  const low = unit >>> 10 === 0x36 ? text.charCodeAt(at + 1) : Number.NaN;
  return low >>> 10 === 0x37 ? classes.ofPair(joinSurrogates(unit, low)) : surrogateClass;
}

/** CR is what ends a line only before LF, and only where lines are. */
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
  while (at < scanner.text.length && classAt(scanner, at) === kind && keptUntil(scanner, at, kind) === at) at += unitsAt(scanner, at);
  return at;
}

function unitsAt({ text }: Scanner, at: number): number {
  return text.charCodeAt(at) >>> 10 === 0x36 && text.charCodeAt(at + 1) >>> 10 === 0x37 ? 2 : 1;
}

function kindOf(value: number): HiddenKind {
  return kinds[value - 1]!;
}
