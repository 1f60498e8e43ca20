import type { TextFinding, TextForm } from '../types.ts';
import { pointAt, pointName, unitsOf } from '../unicode/points.ts';
import { isLetter, isMark } from '../unicode/sets.ts';
import { lookalikeOf } from './lookalikes.ts';
import { mixedScripts } from './mixed-scripts.ts';
import { punctuationLookalike } from './punctuation.ts';

/** What is read of a text: a name or a command is shorter, and this is the slowest thing that is asked of one. */
const mostRead = 65_536;
/** Names and commands are short; what comes after this many findings changes nobody's mind. */
const mostFindings = 100;
/** A name that is longer is read up to here; no word of a language is. */
const longestWord = 256;

export function isLookalikeForm(form: TextForm): form is 'name' | 'command' {
  return form === 'name' || form === 'command';
}

/** Words of several alphabets, words that can be taken for an ASCII one, and signs that can. Told, never rewritten. */
export function lookalikeFindings(whole: string, form: 'name' | 'command'): readonly TextFinding[] {
  const text = whole.slice(0, mostRead);
  const findings: TextFinding[] = [];
  let at = text.search(/[^\0-\x7f]/u);
  if (at === -1) return findings;
  at = startOfWord(text, at);
  while (at < text.length && findings.length < mostFindings) {
    const point = pointAt(text, at);
    const end = isPart(point) ? endOfWord(text, at) : at + unitsOf(point);
    findings.push(...(isPart(point) ? wordFindings(text, at, end) : signFindings(point, { start: at, end }, form)));
    at = end;
  }
  return findings;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function wordFindings(text: string, start: number, end: number): readonly TextFinding[] {
  const word = text.slice(start, end);
  if (!/[^\0-\x7f]/u.test(word)) return [];
  const findings: TextFinding[] = [];
  const scripts = mixedScripts(word);
  if (scripts !== undefined) findings.push({ kind: 'mixed-script', start, end, what: scripts.join('+') });
  const ascii = asciiReading(word);
  if (ascii !== undefined) findings.push({ kind: 'confusable', start, end, what: ascii });
  return findings;
}

function signFindings(point: number, span: Span, form: 'name' | 'command'): readonly TextFinding[] {
  const ascii = point < 0x80 ? undefined : punctuationLookalike(point, form);
  return ascii === undefined ? [] : [{ kind: 'confusable', ...span, what: `${pointName(point)} ${ascii}` }];
}

/** The ASCII word that it can be taken for. A single foreign letter is a letter: Greek alpha, Russian "с". */
function asciiReading(word: string): string | undefined {
  const chars = [...word];
  const read = chars.map((char) => lookalikeOf(char.codePointAt(0)!));
  return chars.length > 1 && !read.includes(undefined) ? read.join('') : undefined;
}

function startOfWord(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longestWord && isPart(text.charCodeAt(start - 1))) start--;
  return start;
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start < longestWord && isPart(pointAt(text, end))) end += unitsOf(pointAt(text, end));
  return end;
}

/** Some letters are drawn as signs (U+01C3, U+02BC); they part words as those would. */
function isPart(point: number): boolean {
  if (point > 0x7f && punctuationLookalike(point, 'command') !== undefined) return false;
  return isLetter(point) || isMark(point) || (point >= 0x30 && point <= 0x39) || (point >= 0xff10 && point <= 0xff19) || (point >= 0x1d7ce && point <= 0x1d7ff);
}
