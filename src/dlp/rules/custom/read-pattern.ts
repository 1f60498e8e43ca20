import {
  anyButLineEnd,
  type CharacterSet,
  inverse,
  named,
  type Node,
  ofBothCases,
  PatternRefusal,
  setOf,
  union,
} from './character-set.ts';

export interface ReadPattern {
  readonly node: Node;
  /** `\b` at the beginning and at the end of the pattern. */
  readonly border: { readonly before: boolean; readonly after: boolean };
}

/** A person writes a pattern on one line. */
const longestSource = 500;
const deepestNesting = 20;
/** The maximum that `*` and `+` stand for, and the largest number in braces. */
const mostTimes = 256;

interface Place {
  readonly reader: Reader;
  readonly depth: number;
  readonly asWritten: (set: CharacterSet) => CharacterSet;
}

/** Throws a `PatternRefusal` for a pattern that is not supported, or has no linear search. */
export function readPattern(source: string): ReadPattern {
  if (source.length > longestSource) throw new PatternRefusal(`it has more than ${longestSource} characters`);
  const isAnyCase = source.startsWith('(?i)');
  const [, before = '', middle = '', after = ''] =
    /^((?:\\b)?)([^]*?)((?:\\b)?)$/u.exec(source.slice(isAnyCase ? 4 : 0)) ?? [];
  const reader = createReader(middle);
  const node = readChoice({ reader, depth: 0, asWritten: isAnyCase ? ofBothCases : (set) => set });
  if (reader.peek() !== '') throw new PatternRefusal('it closes a group that it has not opened');
  return { node, border: { before: before !== '', after: after !== '' } };
}

function readChoice(place: Place): Node {
  if (place.depth > deepestNesting) throw new PatternRefusal(`its groups are more than ${deepestNesting} deep`);
  const options = [readSequence(place)];
  while (place.reader.take('|')) options.push(readSequence(place));
  return { kind: 'choice', options };
}

function readSequence(place: Place): Node {
  const parts: Node[] = [];
  while (!['', '|', ')'].includes(place.reader.peek())) parts.push(readRepeated(place));
  return { kind: 'sequence', parts };
}

function readRepeated(place: Place): Node {
  const node = readAtom(place);
  const times = readTimes(place.reader);
  if (times === undefined) return node;
  if (['?', '*', '+', '{'].includes(place.reader.peek()))
    throw new PatternRefusal('it has two quantifiers in a row, or a lazy one');
  if (times.min > times.max || times.max > mostTimes)
    throw new PatternRefusal(`it repeats something more than ${mostTimes} times, or has a range that goes backwards`);
  return { kind: 'repeat', node, ...times };
}

function readTimes(reader: Reader): { readonly min: number; readonly max: number } | undefined {
  if (reader.take('?')) return { min: 0, max: 1 };
  if (reader.take('*')) return { min: 0, max: mostTimes };
  if (reader.take('+')) return { min: 1, max: mostTimes };
  const braces = reader.match(/\{\d{1,9}(?:,\d{0,9})?\}/uy);
  if (braces === undefined) return undefined;
  const [min = '0', max = min] = braces.slice(1, -1).split(',');
  return { min: Number(min), max: max === '' ? mostTimes : Number(max) };
}

function readAtom(place: Place): Node {
  const { reader, asWritten } = place;
  const character = reader.next();
  switch (character) {
    case '(':
      return readGroup(place);
    case '[':
      return { kind: 'set', set: asWritten(readClass(reader)) };
    case '\\':
      return { kind: 'set', set: asWritten(readEscape(reader)) };
    case '.':
      return { kind: 'set', set: anyButLineEnd };
    case '^':
    case '$':
      throw new PatternRefusal('it asks for the beginning or the end of a line');
    case '*':
    case '+':
    case '?':
    case '{':
      throw new PatternRefusal('it has a quantifier with nothing before it');
    default:
      return { kind: 'set', set: asWritten(only(character)) };
  }
}

function readGroup(place: Place): Node {
  if (!place.reader.take('?:') && place.reader.peek() === '?')
    throw new PatternRefusal('it looks ahead or behind, or names a group');
  const node = readChoice({ ...place, depth: place.depth + 1 });
  if (!place.reader.take(')')) throw new PatternRefusal('it does not close a group');
  return node;
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
const hexEscape = /x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}/uy;

/** Reads a class, after its `[`. */
function readClass(reader: Reader): CharacterSet {
  const isInverse = reader.take('^');
  const sets: CharacterSet[] = [];
  while (!reader.take(']')) sets.push(readMember(reader));
  if (sets.length === 0) throw new PatternRefusal('it has an empty class');
  return isInverse ? inverse(union(sets)) : union(sets);
}

/** Reads the text after a backslash: a class of characters, or a literal character. */
function readEscape(reader: Reader): CharacterSet {
  const hex = reader.match(hexEscape);
  if (hex !== undefined) return only(String.fromCharCode(Number.parseInt(hex.slice(1), 16)));
  const name = reader.next();
  const set = named.get(name);
  if (set !== undefined) return set;
  const control = controls[name];
  if (control !== undefined) return only(control);
  if (name === 'b' || name === 'B') throw new PatternRefusal('\\b may be used only at its beginning and its end');
  if (/[1-9k]/u.test(name)) throw new PatternRefusal('it refers back to a group');
  if (/[0-9A-Za-z]/u.test(name)) throw new PatternRefusal(`it has the escape \\${name}, which is not understood`);
  return only(name);
}

/** A set of one character. */
function only(character: string): CharacterSet {
  if (character.charCodeAt(0) > 127) throw new PatternRefusal('it has a character that is not ASCII');
  return setOf((each) => each === character);
}

function readMember(reader: Reader): CharacterSet {
  const first = readCharacter(reader);
  const from = codeOf(first);
  if (from === undefined || reader.match(/-(?!\])/uy) === undefined) return first;
  const to = codeOf(readCharacter(reader));
  if (to === undefined || to < from)
    throw new PatternRefusal('a range in a class goes backwards, or has an end that is not a single character');
  return setOf((character) => character.charCodeAt(0) >= from && character.charCodeAt(0) <= to);
}

function readCharacter(reader: Reader): CharacterSet {
  const character = reader.next();
  return character === '\\' ? readEscape(reader) : only(character);
}

/** Returns the code of a set's only character. Undefined if it has more. */
function codeOf(set: CharacterSet): number | undefined {
  const first = set.indexOf(1);
  return first === set.lastIndexOf(1) ? first : undefined;
}

/** Current position in a pattern. */
interface Reader {
  /** Returns the next character. Empty at the end. */
  peek(): string;
  next(): string;
  /** Consumes a text if it comes next. */
  take(text: string): boolean;
  /** Consumes the match of a sticky pattern. */
  match(form: RegExp): string | undefined;
}

function createReader(source: string): Reader {
  let at = 0;
  const take = (text: string): boolean => {
    const stands = source.startsWith(text, at);
    at += stands ? text.length : 0;
    return stands;
  };
  return {
    peek: () => source[at] ?? '',
    next() {
      const character = source[at];
      if (character === undefined) throw new PatternRefusal('it ends too early');
      at += 1;
      return character;
    },
    take,
    match(form) {
      form.lastIndex = at;
      const found = form.exec(source)?.[0];
      at += found?.length ?? 0;
      return found;
    },
  };
}
