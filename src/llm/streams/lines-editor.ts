import type { StreamEditor } from '../types.ts';
import type { EditorOptions, LineEdit } from './types.ts';
import { type EditedUnit, type Splitter, UnitEditor } from './unit-editor.ts';
import { besideByteOrderMark, utf8Text } from './utf8.ts';

const defaultLimit = 8 * 1024 * 1024;
const lineFeed = 0x0a;
const breaks = /[\r\n]+/gu;

/**
 * Changes JSON documents that are on separate lines (`application/x-ndjson`), as Ollama streams them. A line ends with
 * LF or CR LF. The last line needs no line end, and is edited at the end of the stream. Empty lines are skipped.
 *
 * `limit`: 8 MiB by default. Line breaks in new text become spaces, which does not change the JSON.
 */
export function createLinesEditor(
  edit: (line: string) => LineEdit,
  { limit = defaultLimit, onUnread = () => {} }: EditorOptions = {},
): StreamEditor {
  const settle = (bytes: Buffer, start: number, end: number): EditedUnit => {
    const text = utf8Text(bytes.subarray(start, end));
    if (text === undefined) {
      onUnread('not-utf8');
      return 'same';
    }
    const line = text.slice(0, text.length - endingOf(text).length);
    return line === '' ? 'same' : settleLine(text, line, edit(line));
  };

  return besideByteOrderMark(
    new UnitEditor({ splitter: createLineSplitter(), settle, atEnd: 'settle', options: { limit, onUnread } }),
  );
}

function settleLine(text: string, line: string, edit: LineEdit): EditedUnit {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.alloc(0);
  const { before = [], data = line } = edit;
  const ending = endingOf(text);
  if (before.length === 0 && data === line) return 'same';
  const written = before.map((each) => onOneLine(each) + (ending === '' ? '\n' : ending)).join('');
  return Buffer.from(written + (data === line ? text : onOneLine(data) + ending));
}

function endingOf(text: string): string {
  if (text.endsWith('\r\n')) return '\r\n';
  return text.endsWith('\n') ? '\n' : '';
}

/** Replaces line breaks, which JSON never has inside strings. */
function onOneLine(text: string): string {
  return text.replace(breaks, ' ');
}

function createLineSplitter(): Splitter {
  let chunk: Buffer = Buffer.alloc(0);
  return {
    open(bytes) {
      chunk = bytes;
    },
    tail: (at) => at,
    skip: (at) => at,
    findEnd: (at) => chunk.indexOf(lineFeed, at) + 1 || -1,
  };
}
