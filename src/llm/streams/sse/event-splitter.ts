import { isAscii } from '../utf8.ts';
import type { Splitter } from '../unit-editor.ts';
import { carriageReturn, lineBreaksOf, lineFeed } from './line-breaks.ts';

export interface EventSplitter extends Splitter {
  /** Text of the chunk where all of it is ASCII; undefined where it is not, or where these bytes are not the chunk. */
  ascii(bytes: Buffer, start: number, end: number): string | undefined;
}

const colon = 0x3a;

/**
 * Finds events: from their first line that is no comment to the blank line behind them. Blank lines and comments between
 * them belong to none, so that a keep-alive waits for nothing. A blank line is there with its CR: the LF that may follow is
 * the tail of the event.
 */
export function createEventSplitter(): EventSplitter {
  let chunk: Buffer = Buffer.alloc(0);
  let text = '';
  let isChunkAscii = true;
  let breaks = lineBreaksOf('');
  let line: 'new' | 'begun' = 'new';
  /** Whether the last chunk ended with the CR of a break. */
  let isAfterReturn = false;

  /** Behind the break that this line has, or the length of the text. */
  const endLine = (from: number): number => {
    const end = breaks.next(from);
    line = end < text.length ? 'new' : 'begun';
    isAfterReturn = end === text.length - 1 && text.charCodeAt(end) === carriageReturn;
    return line === 'new' ? breaks.after(end) : end;
  };
  const tail = (at: number): number => {
    const found = isAfterReturn && text.charCodeAt(at) === lineFeed ? at + 1 : at;
    isAfterReturn = false;
    return found;
  };

  return {
    open(bytes) {
      chunk = bytes;
      text = bytes.toString('latin1');
      isChunkAscii = isAscii(text);
      breaks = lineBreaksOf(text);
    },
    ascii: (bytes, start, end) => (isChunkAscii && bytes === chunk ? text.slice(start, end) : undefined),
    tail,
    skip(at) {
      let from = at;
      while (from < text.length) {
        const code = text.charCodeAt(from);
        if (line === 'new' && code !== colon && code !== lineFeed && code !== carriageReturn) return from;
        from = endLine(from);
      }
      return from;
    },
    findEnd(at) {
      let from = tail(at);
      while (from < text.length) {
        const code = text.charCodeAt(from);
        if (line === 'new' && (code === lineFeed || code === carriageReturn)) {
          isAfterReturn = code === carriageReturn;
          return from + 1;
        }
        from = endLine(from);
      }
      return -1;
    },
  };
}
