import { anyButLineEnd, type CharacterSet, ofBothCases } from './character-set.ts';
import { type Node, Refusal } from './node.ts';
import { only, readClass, readEscape } from './read-set.ts';
import { createReader, type Reader } from './reader.ts';

export interface ReadPattern {
  readonly node: Node;
  /** `\b` at the beginning and at the end. */
  readonly border: { readonly before: boolean; readonly after: boolean };
}

/** A pattern is a line that somebody wrote. */
const longestSource = 500;
const deepestNesting = 20;
/** What `*` and `+` mean, and the most that braces may ask for. */
const mostTimes = 256;

interface Place {
  readonly reader: Reader;
  readonly depth: number;
  readonly asWritten: (set: CharacterSet) => CharacterSet;
}

/** Throws a Refusal for what is not understood, or could not be looked for in linear time. */
export function readPattern(source: string): ReadPattern {
  if (source.length > longestSource) throw new Refusal(`it has more than ${longestSource} characters`);
  const isAnyCase = source.startsWith('(?i)');
  const [, before = '', middle = '', after = ''] = /^((?:\\b)?)([^]*?)((?:\\b)?)$/u.exec(source.slice(isAnyCase ? 4 : 0)) ?? [];
  const reader = createReader(middle);
  const node = readChoice({ reader, depth: 0, asWritten: isAnyCase ? ofBothCases : (set) => set });
  if (reader.peek() !== '') throw new Refusal('it closes a group that it has not opened');
  return { node, border: { before: before !== '', after: after !== '' } };
}

function readChoice(place: Place): Node {
  if (place.depth > deepestNesting) throw new Refusal(`its groups are more than ${deepestNesting} deep`);
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
  if (['?', '*', '+', '{'].includes(place.reader.peek())) throw new Refusal('it has two quantifiers in a row, or a lazy one');
  if (times.min > times.max || times.max > mostTimes) throw new Refusal(`it repeats something more than ${mostTimes} times, or less than no times`);
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
      throw new Refusal('it asks for the beginning or the end of a line');
    case '*':
    case '+':
    case '?':
    case '{':
      throw new Refusal('it has a quantifier with nothing before it');
    default:
      return { kind: 'set', set: asWritten(only(character)) };
  }
}

function readGroup(place: Place): Node {
  if (!place.reader.take('?:') && place.reader.peek() === '?') throw new Refusal('it looks ahead or behind, or names a group');
  const node = readChoice({ ...place, depth: place.depth + 1 });
  if (!place.reader.take(')')) throw new Refusal('it does not close a group');
  return node;
}
