import type { TextFinding, TextForm } from '../types.ts';
import { once } from '../unicode/code-point-set.ts';
import { isLetter, isMark } from '../unicode/sets.ts';
import { pointAt, pointName, unitsOf } from '../unicode/points.ts';
import { mixedScripts } from './mixed-scripts.ts';

/** Most characters to read of a text. Names and commands are shorter, and this is the slowest check. */
const mostRead = 65_536;
/** Most findings of a text. Names and commands are short, and more findings would not change a decision. */
const mostFindings = 100;
/** Most characters to read of a word. No language has longer ones. */
const longestWord = 256;

export function isLookalikeForm(form: TextForm): form is 'name' | 'command' {
  return form === 'name' || form === 'command';
}

/**
 * Finds words that mix alphabets, words that look like an ASCII word, and signs that look like an ASCII sign. They are
 * reported, never rewritten.
 */
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

/**
 * Returns the ASCII word that a word could be taken for. A single letter of another alphabet, such as a Greek alpha or
 * a Russian "с", is not reported.
 */
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
  while (end < text.length && end - start < longestWord && isPart(pointAt(text, end)))
    end += unitsOf(pointAt(text, end));
  return end;
}

/** Some letters look like signs (U+01C3, U+02BC), and separate words as those signs would. */
function isPart(point: number): boolean {
  if (point > 0x7f && punctuationLookalike(point, 'command') !== undefined) return false;
  return (
    isLetter(point) ||
    isMark(point) ||
    (point >= 0x30 && point <= 0x39) ||
    (point >= 0xff10 && point <= 0xff19) ||
    (point >= 0x1d7ce && point <= 0x1d7ff)
  );
}

/**
 * Returns the ASCII character that a character looks like in common fonts, or undefined. An ASCII character looks like
 * itself.
 */
export function lookalikeOf(point: number): string | undefined {
  if (point < 0x80) return String.fromCharCode(point);
  const variant = compatibilityVariant(point);
  return variant ?? table().get(point);
}

/**
 * Letters of other alphabets that look like ASCII letters. They were chosen by hand from the single characters that
 * confusables.txt of UTS #39 (revision 32) maps to an ASCII letter or digit. Left out are letters that only resemble
 * one (ю, π), and letters that languages with Latin script need (ı, ł, ß).
 */
export const letters: Readonly<Record<string, string>> = {
  a: '251,3b1,430',
  b: '184,42c,13cf,15af',
  c: '3f2,441,1d04,2ca5,abaf',
  d: '501,13e7,146f',
  e: '435,4bd,212e',
  f: '584,a799',
  g: '18d,261,581,1d83',
  h: '4bb,570,13c2',
  i: '269,3b9,456,a647,ab75,13a5',
  j: '3f3,458',
  k: '3ba,138',
  l: '196,1c0,4c0,4cf,5c0,5d5,5df,627,7ca,2d4f,a4f2',
  m: '1d0d',
  n: '578,57c',
  o: '3bf,3c3,43e,585,5e1,647,665,966,9e6,a66,ae6,b66,be6,c66,ce6,d66,d82,e50,ed0,101d,1040,10ff,1d0f,2c9f',
  p: '3c1,440,2ca3',
  q: '51b,563,566',
  r: '433,1d26,2c85,ab81',
  s: '1bd,455,a731',
  t: '3c4,1d1b',
  u: '28b,3c5,446,57d,1d1c',
  v: '3bd,475,5d8,1d20,aba9',
  w: '26f,461,51d,561,1d21,ab83',
  x: '445,1541,157d',
  y: '443,4af,263,28f,3b3,1eff,10e7',
  z: '1d22,ab93',
  A: '391,410,13aa,15c5,a4ee',
  B: '392,412,13f4,15f7,a4d0',
  C: '421,3f9,13df,2ca4,a4da',
  D: '13a0,15de,a4d3',
  E: '395,415,13ac,2d39,a4f0',
  F: '3dc,15b4,a4dd',
  G: '50c,13c0,13f3,a4d6',
  H: '397,41d,13bb,157c,2c8e,a4e7',
  I: '399,406,2c92',
  J: '37f,408,13ab,148d,a4d9',
  K: '39a,41a,13e6,16d5,2c94,a4d7',
  L: '13de,14aa,2cd0,a4e1',
  M: '39c,3fa,41c,13b7,15f0,16d6,2c98,a4df',
  N: '39d,2c9a,a4e0',
  O: '39f,41e,555,7c0,12d0,2c9e,2d54,a4f3',
  P: '3a1,420,13e2,146d,2ca2,a4d1',
  Q: '51a,2d55',
  R: '1a6,13a1,13d2,1587,a4e3',
  S: '405,54f,13d5,13da,a4e2',
  T: '3a4,422,13a2,2ca6,a4d4',
  U: '54d,144c,a4f4',
  V: '474,13d9,142f,2d38,a4e6',
  W: '51c,13b3,13d4,a4ea',
  X: '3a7,425,166d,16b7,2cac,2d5d,a4eb',
  Y: '3a5,4ae,423,13a9,13bd,2ca8,a4ec',
  Z: '396,13c3,a4dc',
  2: '1a7,3e8,14bf,a644',
  3: '1b7,21c,417,4e0,2ccc,a76a,a7ab',
  4: '13ce',
  5: '1bc',
  6: '431,13ee,2cd2',
  8: '222,223,9ea,a6a',
  9: '9ed,a67,b68,d6d,a76e,2cca',
};

const table = once(
  () =>
    new Map(
      Object.entries(letters).flatMap(([ascii, points]) =>
        points.split(',').map((point) => [Number.parseInt(point, 16), ascii] as const),
      ),
    ),
);

/** Fullwidth forms and mathematical alphabets, which NFKC folds to ASCII. */
function compatibilityVariant(point: number): string | undefined {
  if (point >= 0xff01 && point <= 0xff5e) return String.fromCharCode(point - 0xfee0);
  if (point >= 0x1d7ce && point <= 0x1d7ff) return String((point - 0x1d7ce) % 10);
  if (point < 0x1d400 || point > 0x1d6a3) return undefined;
  const index = (point - 0x1d400) % 52;
  return String.fromCharCode(index < 26 ? 0x41 + index : 0x61 + index - 26);
}

/** Characters that separate a path or an address, and their lookalikes. */
const inNames = {
  '/': '2044,2215,2571,29f8,ff0f',
  '\\': '2216,29f5,29f9,fe68,ff3c',
  '.': '2024,a4f8,ff0e',
  ':': '2d0,2236,a789,fe55,ff1a',
  '@': 'fe6b,ff20',
};
/** Characters that a shell interprets, and the characters with which editors and chat programs replace them. */
const inCommands = {
  ...inNames,
  '-': '2010-2015,2212,2796,fe58,fe63,ff0d',
  '"': '201c-201f,ff02',
  "'": '2018-201b,2032,2b9,2bc,ff07',
  '`': '2cb,1fef,ff40',
  ';': '37e,fe54,ff1b',
  '|': '2223,2758,ff5c',
  '!': '1c3,ff01',
  '&': 'fe60,ff06',
  $: 'fe69,ff04',
  '*': '2217,204e,ff0a',
  '~': '223c,2dc,ff5e',
  '>': '203a,276f,fe65,ff1e',
  '<': '2039,276e,fe64,ff1c',
  '=': 'a78a,fe66,ff1d',
  '#': 'fe5f,ff03',
};

/** Returns the ASCII sign that a character could be taken for in this form, or undefined. */
export function punctuationLookalike(point: number, form: 'name' | 'command'): string | undefined {
  return (form === 'name' ? forNames() : forCommands()).get(point);
}

const forNames = once(() => invert(inNames));
const forCommands = once(() => invert(inCommands));

function invert(table: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(table).flatMap(([ascii, written]) =>
      written.split(',').flatMap((part) => pointsOf(part).map((point) => [point, ascii] as const)),
    ),
  );
}

function pointsOf(part: string): readonly number[] {
  const [first = 0, last = first] = part.split('-').map((bound) => Number.parseInt(bound, 16));
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
