import type { EventEdit, SseEvent, StreamEditor } from '../../types.ts';
import { besideByteOrderMark } from '../byte-order-mark.ts';
import type { EditorOptions } from '../types.ts';
import { type Settled, UnitEditor } from '../unit-editor.ts';
import { textOf } from '../utf8.ts';
import { createEventSplitter } from './event-splitter.ts';
import { readEvent } from './read-event.ts';
import { lineBreakOf, withData, writeEvent } from './write-event.ts';

const defaultLimit = 8 * 1024 * 1024;

/**
 * Changes a `text/event-stream` in flight. Source: WHATWG HTML §9.2.5 and §9.2.6. An event leaves with its blank line, comments
 * between events leave at once. A changed event keeps all lines but those of data, byte for byte. Events without data are not
 * asked about: readers are not given them.
 *
 * `limit`: 8 MiB unless said otherwise. Told of as `unfinished`: an event without its blank line at the end of the stream.
 */
export function createSseEditor(edit: (event: SseEvent) => EventEdit, { limit = defaultLimit, onUnread = () => {} }: EditorOptions = {}): StreamEditor {
  const splitter = createEventSplitter();

  const settle = (bytes: Buffer, start: number, end: number): Settled => {
    const text = splitter.ascii(bytes, start, end) ?? textOf(bytes.subarray(start, end));
    if (text === undefined) {
      onUnread('not-utf8');
      return 'same';
    }
    const event = readEvent(text);
    return event === undefined ? 'same' : settleEvent(text, event, edit(event));
  };

  return besideByteOrderMark(new UnitEditor({ splitter, settle, atEnd: 'unfinished', options: { limit, onUnread } }));
}

function settleEvent(text: string, event: SseEvent, edit: EventEdit): Settled {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.alloc(0);
  const { before = [], data } = edit;
  const changed = data === undefined || data === event.data ? text : withData(text, data);
  if (before.length === 0 && changed === text) return 'same';
  const lineBreak = lineBreakOf(text);
  return Buffer.from(before.map((each) => writeEvent(each, lineBreak)).join('') + changed);
}
