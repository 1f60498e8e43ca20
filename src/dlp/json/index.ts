/** JSON documents changed where they stand, token by token: what is not changed stays byte for byte. */
export { editJson, type JsonEditing } from './edit-json.ts';
export { type EditedJsonText, editJsonText } from './edit-json-text.ts';
export { insertJson, type JsonInsertion } from './insert-json.ts';
export { peekJson } from './peek-json.ts';
