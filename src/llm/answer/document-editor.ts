import type { EditorOptions } from '../streams/index.ts';
import type { StreamEditor } from '../types.ts';
import { editDocument } from './edit-document.ts';
import type { EventEditing } from './edit-event.ts';

/** Octets of a document that is looked into. What is longer goes on as it is. */
const longestDocument = 64 * 1024 * 1024;

export function createDocumentEditor(editing: EventEditing, { onUnread = () => undefined }: EditorOptions): StreamEditor {
  let held: Buffer[] | undefined = [];
  let length = 0;
  return {
    push(bytes) {
      length += bytes.length;
      if (held === undefined) return bytes;
      held.push(bytes);
      if (length <= longestDocument) return Buffer.alloc(0);
      onUnread('too-long');
      const all = Buffer.concat(held);
      held = undefined;
      return all;
    },
    end() {
      const bytes = Buffer.concat(held ?? []);
      held = undefined;
      const text = bytes.toString();
      const edited = bytes.length === 0 ? text : editDocument(text, editing);
      return edited === text ? bytes : Buffer.from(edited);
    },
  };
}

/** Octets ahead of a document that nobody writes more of. */
const longestMargin = 1024;

/** A list or anything else, told by the first octet that is no space. */
export function listOrDocument(editors: { readonly list: () => StreamEditor; readonly document: () => StreamEditor }): StreamEditor {
  let chosen: StreamEditor | undefined;
  let margin = Buffer.alloc(0);
  const choose = (begun: Buffer): StreamEditor | undefined => {
    const first = begun.toString('latin1').replace(/^\u00ef\u00bb\u00bf/u, '').trimStart().charAt(0);
    if (first === '' && begun.length < longestMargin) return undefined;
    return first === '[' ? editors.list() : editors.document();
  };
  return {
    push(bytes) {
      if (chosen !== undefined) return chosen.push(bytes);
      const begun = Buffer.concat([margin, bytes]);
      chosen = choose(begun);
      margin = chosen === undefined ? begun : Buffer.alloc(0);
      return chosen?.push(begun) ?? margin.subarray(0, 0);
    },
    end: () => (chosen === undefined ? margin : chosen.end()),
  };
}
