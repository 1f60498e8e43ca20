import type { EditedJson, EditLeaf, FieldPattern } from '../types.ts';
import { type Place, type PlacePattern, topPlace } from './places.ts';
import { ReplacedBytes } from './replaced-bytes.ts';
import { decodeString, longestString } from './tokens.ts';
import { JsonWalk } from './walk.ts';

export interface JsonEditing {
  /** Where texts are looked at. Keys count in any case: a server may take `Content` for `content`. */
  readonly fields: readonly FieldPattern[];
  /** Where they are not, though a field says so. Keys count as they are. */
  readonly except?: readonly FieldPattern[];
  readonly edit: EditLeaf;
}

/**
 * Edits string leaves of a JSON document, UTF-8, where they stand: the tokens that `edit` changes are written anew, every other byte
 * stays. Of keys that an object has twice each one is edited: parsers disagree about which counts. Keys are never edited. Goes over
 * the document once; what it needs besides is the output, and some bytes for each level of depth.
 *
 * @throws what `edit` throws, and nothing else.
 */
export function editJson(bytes: Buffer, { fields, except = [], edit }: JsonEditing): EditedJson {
  const walk = new JsonWalk(bytes, topPlace([...patternsOf(fields, 'field'), ...patternsOf(except, 'exception')]));
  const replaced = new ReplacedBytes(bytes);
  for (let token = walk.next(); token !== 'end'; token = walk.next()) {
    if (token === 'unreadable') return { kind: 'unreadable', why: walk.why };
    if (token !== 'string' || !isField(walk.place)) continue;
    if (walk.end - walk.start > longestString) return { kind: 'unreadable', why: 'too-long' };
    const text = decodeString(bytes, walk.start, walk.end);
    const edited = edit(text, walk.path());
    // Lone surrogates, which UTF-8 has no bytes for, come out as escapes.
    if (edited !== undefined && edited !== text) replaced.replace(walk.start, walk.end, JSON.stringify(edited));
  }
  return { kind: 'json', bytes: replaced.finish(), edits: replaced.count };
}

type Meaning = 'field' | 'exception';

function patternsOf(patterns: readonly FieldPattern[], of: Meaning): readonly PlacePattern<Meaning>[] {
  return patterns.map((pattern) => ({ keys: pattern.split('.'), matches: of === 'field' ? 'patterns-in-any-case' : 'patterns', of }));
}

function isField({ ends }: Place<Meaning>): boolean {
  return ends.includes('field') && !ends.includes('exception');
}
