import { type CharacterSet, inverse, named, setOf, union } from './character-set.ts';
import { Refusal } from './node.ts';
import type { Reader } from './reader.ts';

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
const hexEscape = /x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}/uy;

/** A class, behind its `[`. */
export function readClass(reader: Reader): CharacterSet {
  const isInverse = reader.take('^');
  const sets: CharacterSet[] = [];
  while (!reader.take(']')) sets.push(readMember(reader));
  if (sets.length === 0) throw new Refusal('it has an empty class');
  return isInverse ? inverse(union(sets)) : union(sets);
}

/** What stands behind a backslash: a class of characters, or one that means itself. */
export function readEscape(reader: Reader): CharacterSet {
  const hex = reader.match(hexEscape);
  if (hex !== undefined) return only(String.fromCharCode(Number.parseInt(hex.slice(1), 16)));
  const name = reader.next();
  const set = named.get(name);
  if (set !== undefined) return set;
  const control = controls[name];
  if (control !== undefined) return only(control);
  if (name === 'b' || name === 'B') throw new Refusal('a border of words may stand only at its beginning and its end');
  if (/[1-9k]/u.test(name)) throw new Refusal('it refers back to a group');
  if (/[0-9A-Za-z]/u.test(name)) throw new Refusal(`it has the escape \\${name}, which is not understood`);
  return only(name);
}

/** One character. */
export function only(character: string): CharacterSet {
  if (character.charCodeAt(0) > 127) throw new Refusal('it has a character that is not ASCII');
  return setOf((each) => each === character);
}

function readMember(reader: Reader): CharacterSet {
  const first = readCharacter(reader);
  const from = codeOf(first);
  if (from === undefined || reader.match(/-(?!\])/uy) === undefined) return first;
  const to = codeOf(readCharacter(reader));
  if (to === undefined || to < from) throw new Refusal('a range of its classes goes backwards, or from or to more than one character');
  return setOf((character) => character.charCodeAt(0) >= from && character.charCodeAt(0) <= to);
}

function readCharacter(reader: Reader): CharacterSet {
  const character = reader.next();
  return character === '\\' ? readEscape(reader) : only(character);
}

/** The code of the one character of a set; undefined where there are more. */
function codeOf(set: CharacterSet): number | undefined {
  const first = set.indexOf(1);
  return first === set.lastIndexOf(1) ? first : undefined;
}
