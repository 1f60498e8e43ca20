import { createEventStreamEditor, createLinesEditor, createSseEditor, unwrapChunk, wrapChunk, writeEvent } from '../streams/index.ts';
import type { EditorOptions, Unread } from '../streams/index.ts';
import type { Dialect, Framing, Meter, StreamEditor } from '../types.ts';
import { Channels, type OpenStage } from './channels.ts';
import { editDocument } from './edit-document.ts';
import { editEvent, type EditedEvent, type EventEditing, restOf } from './edit-event.ts';

export interface AnswerOptions {
  readonly dialect: Dialect;
  readonly framing: Exclude<Framing, 'websocket'>;
  readonly meter: Meter;
  /** What each text of the answer goes through. */
  readonly open: OpenStage;
  readonly usageOnly: 'keep' | 'drop';
  /** Told of what went on without having been looked into. */
  readonly onUnread?: (why: Unread) => void;
}

/** Meters an answer and changes its texts while it streams. A document that is no stream is gathered, and comes out at its end. */
export function createAnswerEditor(options: AnswerOptions): StreamEditor {
  const editing: EventEditing = { ...options, channels: new Channels(options.open) };
  const told: EditorOptions = options.onUnread === undefined ? {} : { onUnread: options.onUnread };
  switch (options.framing) {
    case 'sse':
      return withRest(createSseEditor(({ data, event }) => written(editEvent(data, event, editing), (value) => named(options.dialect, value)), told), (last) => eventsOf(editing, last));
    case 'json-lines':
      return withRest(createLinesEditor((line) => written(editEvent(line, undefined, editing), (value) => JSON.stringify(value)), told), (last) => linesOf(editing, last));
    case 'event-stream':
      return createEventStreamEditor((message) => editMessage(message, editing), told);
    case 'json':
      return createDocumentEditor(editing, told);
  }
}

/** A server that ends its stream without ending its texts: what was held back of them goes out all the same. */
function withRest(editor: StreamEditor, join: (last: Buffer) => readonly (Buffer | string)[]): StreamEditor {
  return { push: (bytes) => editor.push(bytes), end: () => Buffer.concat(join(editor.end()).map((part) => Buffer.from(part))) };
}

/** Ahead of an event without its end, which readers drop. */
function eventsOf(editing: EventEditing, last: Buffer): readonly (Buffer | string)[] {
  return [...restOf(editing).map((value) => writeEvent(named(editing.dialect, value))), last];
}

/** Behind the last line, which needs no end. */
function linesOf(editing: EventEditing, last: Buffer): readonly (Buffer | string)[] {
  const lines = restOf(editing).map((value) => `${JSON.stringify(value)}\n`);
  return lines.length === 0 || last.length === 0 || last.at(-1) === 0x0a ? [last, ...lines] : [last, '\n', ...lines];
}

type Written<Event> = 'same' | 'drop' | { readonly before?: readonly Event[]; readonly data?: string };

function written<Event>(edited: EditedEvent, write: (value: unknown) => Event): Written<Event> {
  if (typeof edited === 'string') return edited;
  return { before: edited.before.map(write), ...(edited.data === undefined ? {} : { data: edited.data }) };
}

function named({ eventName }: Dialect, value: unknown): { readonly event?: string; readonly data: string } {
  const event = eventName(value);
  return { ...(event === undefined ? {} : { event }), data: JSON.stringify(value) };
}

type Message = Parameters<Parameters<typeof createEventStreamEditor>[0]>[0];
type MessageEdit = ReturnType<Parameters<typeof createEventStreamEditor>[0]>;

/** Of `invoke-with-response-stream` the JSON lies in base64 within the payload. */
function editMessage({ headers, payload }: Message, editing: EventEditing): MessageEdit {
  const name = headers[':event-type'];
  const inner = name === 'chunk' ? unwrapChunk(payload) : undefined;
  const data = (inner ?? payload).toString();
  const edited = editEvent(data, name, editing);
  if (typeof edited === 'string') return edited;
  const wrap = (text: string): Buffer => (inner === undefined ? Buffer.from(text) : wrapChunk(Buffer.from(text), payload));
  const before = edited.before.map((value) => ({ headers: { ...headers, ':event-type': editing.dialect.eventName(value) ?? name ?? '' }, payload: wrap(JSON.stringify(value)) }));
  return { before, ...(edited.data === undefined ? {} : { payload: wrap(edited.data) }) };
}

/** Octets of a document that is looked into. What is longer goes on as it is. */
const longestDocument = 64 * 1024 * 1024;

function createDocumentEditor(editing: EventEditing, { onUnread = () => undefined }: EditorOptions): StreamEditor {
  let held: Buffer[] | undefined = [];
  let length = 0;
  return {
    push(bytes) {
      length += bytes.length;
      if (held === undefined) return bytes;
      held.push(bytes);
      if (length <= longestDocument) return Buffer.alloc(0);
      onUnread('too-long');
      const all = Buffer.concat(held);
      held = undefined;
      return all;
    },
    end() {
      const bytes = Buffer.concat(held ?? []);
      held = undefined;
      const text = bytes.toString();
      const edited = bytes.length === 0 ? text : editDocument(text, editing);
      return edited === text ? bytes : Buffer.from(edited);
    },
  };
}
