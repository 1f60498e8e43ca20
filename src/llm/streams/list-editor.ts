import type { StreamEditor } from '../types.ts';
import type { EditorOptions, LineEdit } from './types.ts';
import { type EditedUnit, type Splitter, UnitEditor } from './unit-editor.ts';
import { besideByteOrderMark, utf8Text } from './utf8.ts';

const defaultLimit = 8 * 1024 * 1024;

export interface ListEditorOptions extends EditorOptions {
  /** Returns elements to add at the end of the list. */
  readonly rest?: () => readonly string[];
}

/**
 * Changes the elements of a JSON document that is one list, as Gemini streams them without `alt=sse`. An element is
 * sent when its last octet has arrived. A number or a name is sent when the next octet has arrived. Text between
 * elements stays.
 *
 * `limit`: 8 MiB by default. An element cannot be left out, so `drop` empties it. Reports as `unfinished`: an element
 * in which the stream ended.
 */
export function createListEditor(
  edit: (element: string) => LineEdit,
  { limit = defaultLimit, onUnread = () => {}, rest = () => [] }: ListEditorOptions = {},
): StreamEditor {
  const splitter = createListSplitter();
  const settle = (bytes: Buffer, start: number, end: number): EditedUnit => {
    const text = utf8Text(bytes.subarray(start, end));
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
  return besideByteOrderMark(
    new UnitEditor({
      splitter,
      settle,
      atEnd: 'unfinished',
      rest: () => Buffer.from(restOf()),
      options: { limit, onUnread },
    }),
  );
}

const parted = {
  ahead: (elements: string) => elements,
  within: (elements: string) => `${elements},`,
  behind: (elements: string) => `,${elements}`,
} as const;

function settleEnd(rest: string): EditedUnit {
  return rest === '' ? 'same' : Buffer.from(`${rest}]`);
}

function settleElement(text: string, edit: LineEdit): EditedUnit {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.from('{}');
  const { before = [], data = text } = edit;
  return before.length === 0 && data === text ? 'same' : Buffer.from([...before, data].join(','));
}

interface ListSplitter extends Splitter {
  /** Position in the list. `behind`: an element has ended, and its comma has not arrived. */
  place(): 'ahead' | 'within' | 'behind';
}

const [quote, backslash, comma, open, close, openBrace, closeBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];
const spaces: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Finds the elements of a JSON document that is a list, and its closing bracket, which is a separate unit. Nothing
 * after the bracket is a unit.
 */
function createListSplitter(): ListSplitter {
  let chunk: Buffer = Buffer.alloc(0);
  let state: 'ahead' | 'in-list' | 'behind' = 'ahead';
  let isBehindElement = false;
  let depth = 0;
  let inString: 'no' | 'yes' | 'escaped' = 'no';
  let isBegun = false;

  /** Returns true if the element ends with this octet. */
  const endsWith = (octet: number): boolean => {
    if (inString !== 'no') {
      const isEnd = inString === 'yes' && octet === quote;
      inString = inString === 'yes' && octet === backslash ? 'escaped' : isEnd ? 'no' : 'yes';
      return isEnd && depth === 0;
    }
    if (octet === quote) inString = 'yes';
    else if (octet === open || octet === openBrace) depth += 1;
    else if (octet === close || octet === closeBrace) depth -= 1;
    return depth <= 0 && (octet === close || octet === closeBrace);
  };
  /** Returns true if the octet ends a number or a name. Neither has a closing character. */
  const isParted = (octet: number): boolean =>
    isBegun && depth === 0 && inString === 'no' && (octet === comma || octet === close || spaces.includes(octet));
  const ended = (at: number): number => {
    [depth, inString, isBegun, isBehindElement] = [0, 'no', false, true];
    return at;
  };

  return {
    place: () => (isBegun ? 'within' : isBehindElement ? 'behind' : 'ahead'),
    open(bytes) {
      chunk = bytes;
    },
    tail: (at) => at,
    skip(at) {
      if (state === 'behind') return chunk.length;
      for (let from = at; from < chunk.length; from += 1) {
        const octet = chunk[from] ?? 0;
        if (spaces.includes(octet)) continue;
        if (state === 'ahead' && octet === open) state = 'in-list';
        else if (octet === comma) isBehindElement = false;
        else return from;
      }
      return chunk.length;
    },
    findEnd(at) {
      if (!isBegun && chunk[at] === close) {
        state = 'behind';
        return at + 1;
      }
      for (let from = at; from < chunk.length; from += 1) {
        const octet = chunk[from] ?? 0;
        if (isParted(octet)) return ended(from);
        isBegun = true;
        if (endsWith(octet)) return ended(from + 1);
      }
      return -1;
    },
  };
}
