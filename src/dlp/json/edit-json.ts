import type { EditedJson, EditLeaf, FieldPattern } from '../types.ts';
import { type JsonPlace, type PlacePattern, topPlace } from './places.ts';
import { ReplacedBytes } from './replace-json.ts';
import { decodeString, longestJsonString } from './tokens.ts';
import { JsonWalk } from './walk.ts';

export interface JsonEditing extends JsonFields {
  readonly edit: EditLeaf;
}

/** `createJsonEditor` for one document. */
export function editJson(bytes: Buffer, { edit, ...fields }: JsonEditing): EditedJson {
  return createJsonEditor(fields).edit(bytes, edit);
}

/** `createJsonEditor` for one document that has been decoded already. */
export function editJsonText(text: string, { edit, ...fields }: JsonEditing): EditedJsonText {
  return createJsonEditor(fields).editText(text, edit);
}

export interface JsonFields {
  /** Where texts are looked at. Keys count in any case: a server may take `Content` for `content`. */
  readonly fields: readonly FieldPattern[];
  /** Where they are too, and `edit` is told so; a place of both is one of `fields`. Default: none. */
  readonly others?: readonly FieldPattern[];
  /** Where they are not, though a field says so. Keys count as they are. */
  readonly except?: readonly FieldPattern[];
}

export type EditedJsonText =
  /** `text` is the one that was given where nothing was changed. */
  | { readonly kind: 'json'; readonly text: string; readonly edits: number }
  | Extract<EditedJson, { readonly kind: 'unreadable' }>;

/**
 * Edits many documents by the same fields, which it takes apart only once. Both throw what `edit` throws, and nothing
 * else.
 */
export interface JsonEditor {
  /** A document in UTF-8. */
  edit(bytes: Buffer, edit: EditLeaf): EditedJson;
  /** One that has been decoded already, as the data of an event has. A text with a lone surrogate is no UTF-8. */
  editText(text: string, edit: EditLeaf): EditedJsonText;
}

/**
 * Edits string leaves of JSON documents where they stand: the tokens that `edit` changes are written again, every other
 * byte stays. Of keys that an object has twice each one is edited: parsers disagree about which counts. Keys are never
 * edited. Goes over a document once; what it needs besides is the output, and some bytes for each level of depth.
 */
export function createJsonEditor({ fields, others = [], except = [] }: JsonFields): JsonEditor {
  const top = topPlace([
    ...patternsOf(fields, 'field'),
    ...patternsOf(others, 'other'),
    ...patternsOf(except, 'exception'),
  ]);
  return {
    edit: (bytes, edit) => editUnder(top, bytes, edit),
    editText(text, edit) {
      if (!text.isWellFormed()) return { kind: 'unreadable', why: 'not-utf8' };
      const edited = editUnder(top, Buffer.from(text), edit);
      if (edited.kind === 'unreadable') return edited;
      if (edited.edits === 0) return { kind: 'json', text, edits: 0 };
      return edited.bytes.length > longestJsonString
        ? { kind: 'unreadable', why: 'too-long' }
        : { kind: 'json', text: edited.bytes.toString(), edits: edited.edits };
    },
  };
}

type Meaning = 'field' | 'other' | 'exception';

function patternsOf(patterns: readonly FieldPattern[], of: Meaning): readonly PlacePattern<Meaning>[] {
  return patterns.map((pattern) => ({
    keys: pattern.split('.'),
    matches: of === 'exception' ? 'patterns' : 'patterns-in-any-case',
    of,
  }));
}

function editUnder(top: JsonPlace<Meaning>, bytes: Buffer, edit: EditLeaf): EditedJson {
  const walk = new JsonWalk(bytes, top);
  const replaced = new ReplacedBytes(bytes);
  for (let token = walk.next(); token !== 'end'; token = walk.next()) {
    if (token === 'unreadable') return { kind: 'unreadable', why: walk.why };
    const found = token === 'string' ? meaningOf(walk.place) : 'exception';
    if (found === 'exception') continue;
    if (walk.end - walk.start > longestJsonString) return { kind: 'unreadable', why: 'too-long' };
    const text = decodeString(bytes, walk.start, walk.end);
    const edited = edit(text, walk.path(), found);
    // Lone surrogates, which UTF-8 has no bytes for, come out as escapes.
    if (edited !== undefined && edited !== text) replaced.replace(walk.start, walk.end, JSON.stringify(edited));
  }
  return { kind: 'json', bytes: replaced.finish(), edits: replaced.count };
}

function meaningOf({ ends }: JsonPlace<Meaning>): Meaning {
  if (ends.length === 0 || ends.includes('exception')) return 'exception';
  return ends.includes('field') ? 'field' : 'other';
}
