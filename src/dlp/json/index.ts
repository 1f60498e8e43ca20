/** JSON documents changed where they stand, token by token: what is not changed stays byte for byte. */
export { editJson, editJsonText, type JsonEditing } from './edit-json.ts';
export { insertJson, type JsonInsertion } from './insert-json.ts';
export { type JsonReplacement, replaceJson } from './replace-json.ts';
export { createJsonEditor, type EditedJsonText, type JsonEditor, type JsonFields } from './json-editor.ts';
export { jsonKeys } from './keys.ts';
export { peekJson } from './peek-json.ts';
