import type { JsonPath } from '../types.ts';
import { type PlacePattern, topPlace } from './places.ts';
import type { JsonToken } from './reader.ts';
import { decodeString, longestJsonString } from './tokens.ts';
import { JsonWalk } from './walk.ts';

/**
 * Returns the strings, numbers, booleans and nulls at some paths, in order. Undefined for a missing value or a
 * container, and for all paths if the text is not JSON. A container that is on none of the paths is skipped without
 * validation. Keys match exactly. Reads the whole document, because the last of repeated keys counts, as in
 * `JSON.parse`, Python and Go. A reader that stopped at the first one could see a different model than the server.
 */
export function peekJson(bytes: Buffer, paths: readonly JsonPath[]): readonly unknown[] {
  const walk = new JsonWalk(bytes, topPlace(paths.flatMap(patternsTo)));
  const found: unknown[] = paths.map(() => undefined);
  for (let token = walk.next(); token !== 'end'; token = walk.next()) {
    if (token === 'unreadable') return paths.map(() => undefined);
    if (isDead(walk, token)) {
      walk.skip();
      continue;
    }
    for (const { index, isLeaf } of walk.place.ends)
      found[index] = isLeaf ? valueOf(bytes, walk, token) : token === 'close' ? found[index] : undefined;
  }
  return found;
}

function isDead({ place }: JsonWalk<Asked>, token: JsonToken): boolean {
  return (token === 'object' || token === 'array') && !place.isLive;
}

/** A requested leaf, or a value that contains one. It replaces an earlier one. */
interface Asked {
  readonly index: number;
  readonly isLeaf: boolean;
}

function patternsTo(path: JsonPath, index: number): readonly PlacePattern<Asked>[] {
  const keys = path.map(String);
  return [...keys.keys(), keys.length].map((length) => ({
    keys: keys.slice(0, length),
    matches: 'exactly',
    of: { index, isLeaf: length === keys.length },
  }));
}

function valueOf(bytes: Buffer, { start, end }: JsonWalk<Asked>, token: JsonToken): unknown {
  if (end - start > longestJsonString) return undefined;
  switch (token) {
    case 'string':
      return decodeString(bytes, start, end);
    case 'number':
      return Number(bytes.toString('latin1', start, end));
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      return undefined;
  }
}
