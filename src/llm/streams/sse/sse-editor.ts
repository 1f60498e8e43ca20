import type { EventEdit, SseEvent, StreamEditor } from '../../types.ts';
import type { EditorOptions } from '../types.ts';
import { type EditedUnit, type Splitter, UnitEditor } from '../unit-editor.ts';
import { besideByteOrderMark, isAscii, utf8Text } from '../utf8.ts';

const defaultLimit = 8 * 1024 * 1024;

/**
 * Changes a `text/event-stream` in flight. Source: WHATWG HTML §9.2.5 and §9.2.6. An event is sent when its blank line
 * has arrived, and comments between events are sent at once. A changed event keeps all lines except those of data, byte
 * for byte. Events without data are skipped, because readers do not receive them.
 *
 * `limit`: 8 MiB by default. Reports as `unfinished`: an event that has no blank line when the stream ends.
 */
export function createSseEditor(
  edit: (event: SseEvent) => EventEdit,
  { limit = defaultLimit, onUnread = () => {} }: EditorOptions = {},
): StreamEditor {
  const splitter = createEventSplitter();

  const settle = (bytes: Buffer, start: number, end: number): EditedUnit => {
    const text = splitter.ascii(bytes, start, end) ?? utf8Text(bytes.subarray(start, end));
    if (text === undefined) {
      onUnread('not-utf8');
      return 'same';
    }
    const event = readEvent(text);
    return event === undefined ? 'same' : settleEvent(text, event, edit(event));
  };

  return besideByteOrderMark(new UnitEditor({ splitter, settle, atEnd: 'unfinished', options: { limit, onUnread } }));
}

function settleEvent(text: string, event: SseEvent, edit: EventEdit): EditedUnit {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.alloc(0);
  const { before = [], data } = edit;
  const changed = data === undefined || data === event.data ? text : withData(text, data);
  if (before.length === 0 && changed === text) return 'same';
  const lineBreak = lineBreakOf(text);
  return Buffer.from(before.map((each) => writeEvent(each, lineBreak)).join('') + changed);
}

interface EventSplitter extends Splitter {
  /**
   * Returns the text of this part of the chunk if it is all ASCII. Undefined if it is not, or if these bytes are not in
   * the chunk.
   */
  ascii(bytes: Buffer, start: number, end: number): string | undefined;
}

const colon = 0x3a;

/**
 * Finds events. An event reaches from its first line that is not a comment to the blank line after it. Blank lines and
 * comments between events belong to no event, so a keep-alive never waits. A blank line is complete with its CR. An LF
 * that may follow is the tail of the event.
 */
function createEventSplitter(): EventSplitter {
  let chunk: Buffer = Buffer.alloc(0);
  let text = '';
  let isChunkAscii = true;
  let breaks = lineBreaksOf('');
  let line: 'new' | 'begun' = 'new';
  /** Whether the last chunk ended with the CR of a line break. */
  let isAfterReturn = false;

  /** Returns the position after the break of this line, or the length of the text. */
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

const anyBreak = /\r\n|\n|\r/u;
const breaksAndNul = /[\r\n\0]+/gu;

/**
 * Returns an event with its blank line. Drops line breaks and NUL from the name and the ID, which cannot contain them.
 * Writes every kind of line break in data as LF.
 */
export function writeEvent({ event, data, id }: SseEvent, lineBreak = '\n'): string {
  return [
    ...(event === undefined ? [] : [`event: ${event.replace(breaksAndNul, '')}`]),
    ...(id === undefined ? [] : [`id: ${id.replace(breaksAndNul, '')}`]),
    ...data.split(anyBreak).map((line) => `data: ${line}`),
    '',
    '',
  ].join(lineBreak);
}

/**
 * Returns the text of an event with other data, in the position of its first data line. All other lines stay unchanged.
 */
function withData(text: string, data: string): string {
  const parts: string[] = [];
  let kept = 0;
  eachLine(text, (line) => {
    if (line.field !== 'data') return;
    const isFirst = kept === 0;
    parts.push(text.slice(kept, line.start), isFirst ? dataLines(text, line, data) : '');
    kept = line.next;
  });
  return parts.join('') + text.slice(kept);
}

/** Returns the line break of the event's first line. */
function lineBreakOf(text: string): string {
  return anyBreak.exec(text)?.[0] ?? '\n';
}

/**
 * Keeps the form of the line. If the original has no space after the colon, new text that begins with a space would
 * lose it.
 */
function dataLines(text: string, { start, end, next }: EventLine, data: string): string {
  const lineBreak = text.slice(end, next);
  const isTight = text.charAt(start + 4) === ':' && text.charAt(start + 5) !== ' ';
  return data
    .split(anyBreak)
    .map((line) => `data:${isTight && !line.startsWith(' ') ? '' : ' '}${line}${lineBreak}`)
    .join('');
}

/** A line of an event. Positions are in the event's text. */
interface EventLine {
  /** Empty for a comment. */
  readonly field: string;
  readonly value: string;
  readonly start: number;
  /** Position where its line break begins. */
  readonly end: number;
  /** Position where the next line begins. */
  readonly next: number;
}

/**
 * Returns the part of an event that readers receive: WHATWG HTML §9.2.6. Undefined if it has no data line, because
 * readers then receive nothing. `id` and `event` belong to this event alone. An empty name counts as absent.
 */
function readEvent(text: string): SseEvent | undefined {
  const event: { event?: string; data?: string; id?: string } = {};
  let more: string[] | undefined;
  eachLine(text, ({ field, value }) => {
    if (field === 'data') {
      if (event.data === undefined) event.data = value;
      else (more ??= [event.data]).push(value);
    } else if (field === 'event') event.event = value;
    else if (field === 'id' && !value.includes('\0')) event.id = value;
  });
  if (event.data === undefined) return undefined;
  if (more !== undefined) event.data = more.join('\n');
  if (event.event === '') delete event.event;
  return event as SseEvent;
}

/** Visits the lines of an event up to its blank line. */
function eachLine(text: string, see: (line: EventLine) => void): void {
  const breaks = lineBreaksOf(text);
  // Kept from line to line. Otherwise each line without a colon would cost a search of the whole rest.
  let colon = -1;
  for (let start = 0; start < text.length; ) {
    const end = breaks.next(start);
    if (end === start) return;
    if (colon < start) colon = text.indexOf(':', start);
    if (colon < 0) colon = text.length;
    const next = breaks.after(end);
    const valueAt = text.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1;
    see({ field: text.slice(start, Math.min(colon, end)), value: text.slice(valueAt, end), start, end, next });
    start = next;
  }
}

/** Finds line breaks: LF, CR LF or CR (WHATWG HTML §9.2.5). Requested positions must only go forward. */
interface LineBreaks {
  /** Returns where the first break at or after a position begins, or the length of the text. */
  next(at: number): number;
  /** Returns where the line after a break begins. */
  after(at: number): number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads each character at most twice. A search for one kind of break is not repeated while its last result is still
 * ahead.
 */
function lineBreaksOf(text: string): LineBreaks {
  const find = (mark: string, at: number): number => {
    const found = text.indexOf(mark, at);
    return found < 0 ? text.length : found;
  };
  let feed = find('\n', 0);
  let back = find('\r', 0);

  return {
    next(at) {
      if (feed < at) feed = find('\n', at);
      if (back < at) back = find('\r', at);
      return feed < back ? feed : back;
    },
    after: (at) => (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1),
  };
}
