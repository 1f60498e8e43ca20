import type { StreamEditor } from '../../types.ts';
import type { EditorOptions, EventStreamEdit, EventStreamMessage } from '../types.ts';
import { type Settled, UnitEditor } from '../unit-editor.ts';
import { readHeaders, writeHeaders } from './headers.ts';
import { joinMessage, largestMessage, splitMessage } from './layout.ts';
import { createMessageSplitter } from './message-splitter.ts';

export interface EventStreamOptions extends EditorOptions {
  /** Messages for the end of the stream, which may be where nothing of it can be read any more. */
  readonly rest?: () => readonly EventStreamMessage[];
}

/**
 * Changes an `application/vnd.amazon.eventstream` in flight. A message leaves with its last octet.
 *
 * `limit`: 24 MiB of payload with 128 KiB of headers unless said otherwise. Told of as `damaged`: headers that are none, which
 * go on with their message; and a wrong checksum or length, from where on all goes on as it is. Readers have to end the
 * stream there.
 */
export function createEventStreamEditor(
  edit: (message: EventStreamMessage) => EventStreamEdit,
  { limit = largestMessage, onUnread = () => {}, rest = () => [] }: EventStreamOptions = {},
): StreamEditor {
  const settle = (bytes: Buffer, start: number, end: number): Settled => {
    const parts = splitMessage(bytes.subarray(start, end));
    const headers = parts === undefined ? undefined : readHeaders(parts.headers);
    if (parts === undefined || headers === undefined) {
      onUnread('damaged');
      return parts === undefined ? 'lost' : 'same';
    }
    return settleMessage(parts.headers, edit({ headers, payload: parts.payload }), bytes.subarray(start, end));
  };

  return new UnitEditor({ splitter: createMessageSplitter(), settle, atEnd: 'unfinished', rest: () => Buffer.concat(rest().map(written)), options: { limit, onUnread } });
}

function settleMessage(headers: Buffer, edit: EventStreamEdit, message: Buffer): Settled {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.alloc(0);
  const { before = [], payload } = edit;
  if (before.length === 0 && payload === undefined) return 'same';
  return Buffer.concat([...before.map(written), payload === undefined ? message : joinMessage(headers, payload)]);
}

function written({ headers, payload }: EventStreamMessage): Buffer {
  return joinMessage(writeHeaders(headers), payload);
}
