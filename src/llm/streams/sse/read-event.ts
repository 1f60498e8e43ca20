import type { SseEvent } from '../../types.ts';
import { lineBreaksOf } from './line-breaks.ts';

/** A line of an event. Places are in the event's text. */
export interface EventLine {
  /** Empty for a comment. */
  readonly field: string;
  readonly value: string;
  readonly start: number;
  /** Where its break begins. */
  readonly end: number;
  /** Where the next line begins. */
  readonly next: number;
}

/**
 * What a reader is given of an event: WHATWG HTML §9.2.6. Undefined where it is given nothing, because no line is data.
 * `id` and `event` are those of this event alone; an empty name is none.
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

/** The lines of an event up to its blank line. */
export function eachLine(text: string, see: (line: EventLine) => void): void {
  const breaks = lineBreaksOf(text);
  // Kept from line to line: a search in each one would read the whole rest again where no line has a colon.
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
