import type { SseEvent } from '../../types.ts';

/** A line of an event. Positions are in the event's text. */
export interface EventLine {
  /** Empty for a comment. */
  readonly field: string;
  readonly value: string;
  readonly start: number;
  /** Beginning of its break. */
  readonly end: number;
  /** Beginning of the next line. */
  readonly next: number;
}

/**
 * Returns the part of an event that readers receive: WHATWG HTML §9.2.6. Undefined if no line is data, when readers
 * receive nothing. `id` and `event` are those of this event alone. An empty name is absent.
 */
export function readEvent(text: string): SseEvent | undefined {
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
export function eachLine(text: string, see: (line: EventLine) => void): void {
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

/** Finds line breaks, which are LF, CR LF or CR: WHATWG HTML §9.2.5. Requested positions only go forward. */
interface LineBreaks {
  /** Returns the beginning of the first break at or after a position, or the length of the text. */
  next(at: number): number;
  /** Returns the beginning of the line after a break. */
  after(at: number): number;
}

export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;

/**
 * Reads each character at most twice. A search for one kind of break is not repeated while its last find lies ahead.
 */
export function lineBreaksOf(text: string): LineBreaks {
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
