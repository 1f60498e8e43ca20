import { createEventStreamEditor, type EventStreamEdit, type EventStreamMessage, unwrapChunk, wrapChunk } from '../streams/index.ts';
import type { EditorOptions } from '../streams/index.ts';
import type { StreamEditor } from '../types.ts';
import { editEvent, type EventEditing, restOf } from './edit-event.ts';

/** Answers in an event stream of AWS. What was held back of texts that did not end goes out at its end, ahead of an error, or of what is damaged. */
export function createMessagesEditor(editing: EventEditing, told: EditorOptions): StreamEditor {
  let like: EventStreamMessage | undefined;
  const made = (value: unknown): EventStreamMessage => messageOf(value, like ?? bare, editing);
  const edit = (message: EventStreamMessage): EventStreamEdit => {
    // An exception, or an error, which readers throw: nothing that comes behind it is read.
    const isEvent = (message.headers[':message-type'] ?? 'event') === 'event';
    if (isEvent) like = message;
    const edited = editMessage(message, editing);
    if (edited === 'drop') return edited;
    const { before = [], ...changed } = edited === 'same' ? {} : edited;
    return { ...changed, before: [...before, ...(isEvent ? [] : restOf(editing))].map(made) };
  };
  return createEventStreamEditor(edit, { ...told, rest: () => restOf(editing).map(made) });
}

const bare: EventStreamMessage = { headers: { ':message-type': 'event', ':content-type': 'application/json' }, payload: Buffer.alloc(0) };

type Edited = 'same' | 'drop' | { readonly before: readonly unknown[]; readonly payload?: Buffer };

/** Of `invoke-with-response-stream` the JSON lies in base64 within the payload. */
function editMessage({ headers, payload }: EventStreamMessage, editing: EventEditing): Edited {
  const name = headers[':event-type'] ?? headers[':exception-type'];
  const inner = name === 'chunk' ? unwrapChunk(payload) : undefined;
  const edited = editEvent((inner ?? payload).toString(), name, editing);
  if (typeof edited === 'string') return edited;
  const { before, data } = edited;
  return { before, ...(data === undefined ? {} : { payload: inner === undefined ? Buffer.from(data) : wrapChunk(Buffer.from(data), payload) }) };
}

/** An event in a message like the one that came last. */
function messageOf(value: unknown, like: EventStreamMessage, { dialect }: EventEditing): EventStreamMessage {
  const name = like.headers[':event-type'];
  const json = Buffer.from(JSON.stringify(value));
  const isChunk = name === 'chunk' && unwrapChunk(like.payload) !== undefined;
  return { headers: { ...like.headers, ':event-type': dialect.eventName(value) ?? name ?? '' }, payload: isChunk ? wrapChunk(json, like.payload) : json };
}
