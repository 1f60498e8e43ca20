import type { EditedJson } from '../types.ts';
import { editJson, type JsonEditing } from './edit-json.ts';
import { longestString } from './tokens.ts';

export type EditedJsonText =
  /** `text` is the one that was given where nothing was changed. */
  | { readonly kind: 'json'; readonly text: string; readonly edits: number }
  | Extract<EditedJson, { readonly kind: 'unreadable' }>;

/** `editJson` for a document that has been decoded already, as the data of an event has. A text with a lone surrogate is no UTF-8. */
export function editJsonText(text: string, editing: JsonEditing): EditedJsonText {
  if (!text.isWellFormed()) return { kind: 'unreadable', why: 'not-utf8' };
  const edited = editJson(Buffer.from(text), editing);
  if (edited.kind === 'unreadable') return edited;
  if (edited.edits === 0) return { kind: 'json', text, edits: 0 };
  return edited.bytes.length > longestString ? { kind: 'unreadable', why: 'too-long' } : { kind: 'json', text: edited.bytes.toString(), edits: edited.edits };
}
