import type { StreamEditor } from '../types.ts';
import { besideByteOrderMark } from './byte-order-mark.ts';
import { createListSplitter } from './list-splitter.ts';
import type { EditorOptions, LineEdit } from './types.ts';
import { type Settled, UnitEditor } from './unit-editor.ts';
import { textOf } from './utf8.ts';

const defaultLimit = 8 * 1024 * 1024;

export interface ListOptions extends EditorOptions {
  /** Elements for the end of the list. */
  readonly rest?: () => readonly string[];
}

/**
 * Changes the elements of a JSON document that is one list, as Gemini streams them without `alt=sse`. An element leaves with its
 * last octet; a number or a name with what follows it. What stands between elements stays.
 *
 * `limit`: 8 MiB unless said otherwise. An element cannot be left out: `drop` empties it. Told of as `unfinished`: an element that
 * the stream ended in.
 */
export function createListEditor(edit: (element: string) => LineEdit, { limit = defaultLimit, onUnread = () => {}, rest = () => [] }: ListOptions = {}): StreamEditor {
  const splitter = createListSplitter();
  const settle = (bytes: Buffer, start: number, end: number): Settled => {
    const text = textOf(bytes.subarray(start, end));
    if (text === undefined) {
      onUnread('not-utf8');
      return 'same';
    }
    return text === ']' ? settleEnd(restOf()) : settleElement(text, edit(text));
  };
  const restOf = (): string => {
    const elements = rest().join(',');
    return elements === '' ? '' : parted[splitter.place()](elements);
  };
  return besideByteOrderMark(new UnitEditor({ splitter, settle, atEnd: 'unfinished', rest: () => Buffer.from(restOf()), options: { limit, onUnread } }));
}

const parted = { ahead: (elements: string) => elements, within: (elements: string) => `${elements},`, behind: (elements: string) => `,${elements}` } as const;

function settleEnd(rest: string): Settled {
  return rest === '' ? 'same' : Buffer.from(`${rest}]`);
}

function settleElement(text: string, edit: LineEdit): Settled {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.from('{}');
  const { before = [], data = text } = edit;
  return before.length === 0 && data === text ? 'same' : Buffer.from([...before, data].join(','));
}
