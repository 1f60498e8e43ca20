import { createJsonEditor, type JsonEditor } from '../../dlp/index.ts';

/** Most streams have one or two. */
const mostKept = 16;

/** Editors of one answer, by the fields that they edit: its events have their texts at the same places, one after another. */
export function fieldEditors(): (fields: readonly string[]) => JsonEditor {
  const kept = new Map<string, JsonEditor>();
  return (fields) => {
    const name = fields.join('\n');
    const editor = kept.get(name) ?? createJsonEditor({ fields });
    if (kept.size < mostKept) kept.set(name, editor);
    return editor;
  };
}
