import { JsonReader } from './reader.ts';
import { decodeString, longestString } from './tokens.ts';

/** The keys of all objects of a document, in their order; what came before the place where it is no JSON. */
export function jsonKeys(bytes: Buffer): readonly string[] {
  const reader = new JsonReader(bytes);
  const keys: string[] = [];
  for (let token = reader.next(); token !== 'end' && token !== 'unreadable'; token = reader.next()) {
    if (token === 'key' && reader.end - reader.start <= longestString)
      keys.push(decodeString(bytes, reader.start, reader.end));
  }
  return keys;
}
