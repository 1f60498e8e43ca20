import type { EditedJson, EditLeaf, FieldPattern } from '../types.ts';
import { type JsonPlace, type PlacePattern, topPlace } from './places.ts';
import { ReplacedBytes } from './replace-json.ts';
import { decodeString, longestJsonString } from './tokens.ts';
import { JsonWalk } from './walk.ts';

export interface JsonEditing extends JsonFields {
  readonly edit: EditLeaf;
}

/** Edits one document with a `createJsonEditor`. */
export function editJson(bytes: Buffer, { edit, ...fields }: JsonEditing): EditedJson {
  return createJsonEditor(fields).edit(bytes, edit);
}

/** Edits one decoded document with a `createJsonEditor`. */
export function editJsonText(text: string, { edit, ...fields }: JsonEditing): EditedJsonText {
  return createJsonEditor(fields).editText(text, edit);
}

export interface JsonFields {
  /** Positions of the texts to visit. Keys match in any case, because a server may accept `Content` for `content`. */
  readonly fields: readonly FieldPattern[];
  /**
   * Further positions. `edit` can tell them apart from `fields`. A position in both counts as one of `fields`. Default:
   * none.
   */
  readonly others?: readonly FieldPattern[];
  /** Positions to exclude, even if a field matches. Keys match exactly. */
  readonly except?: readonly FieldPattern[];
}

export type EditedJsonText =
  /** `text` is the same string as the input if nothing was changed. */
  | { readonly kind: 'json'; readonly text: string; readonly edits: number }
  | Extract<EditedJson, { readonly kind: 'unreadable' }>;

/**
 * Edits many documents by the same fields, which are parsed only once. Both methods throw errors of `edit`, and no
 * others.
 */
export interface JsonEditor {
  /** Edits a document in UTF-8. */
  edit(bytes: Buffer, edit: EditLeaf): EditedJson;
  /** Edits a decoded document, such as the data of an event. A text with a lone surrogate is not UTF-8. */
  editText(text: string, edit: EditLeaf): EditedJsonText;
}

/**
 * Edits string leaves of JSON documents in place. The tokens that `edit` changes are written again, and every other
 * byte stays. If an object repeats a key, each value is edited, because parsers disagree about which one counts. Keys
 * are never edited. Reads a document once. In addition to the output, it needs a few bytes for each level of depth.
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
    // Lone surrogates have no bytes in UTF-8, so they become escapes.
    if (edited !== undefined && edited !== text) replaced.replace(walk.start, walk.end, JSON.stringify(edited));
  }
  return { kind: 'json', bytes: replaced.finish(), edits: replaced.count };
}

function meaningOf({ ends }: JsonPlace<Meaning>): Meaning {
  if (ends.length === 0 || ends.includes('exception')) return 'exception';
  return ends.includes('field') ? 'field' : 'other';
}
