import type { EditedJson, EditLeaf } from '../types.ts';
import { createJsonEditor, type EditedJsonText, type JsonFields } from './json-editor.ts';

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
