import { createLinesEditor, createListEditor, createSseEditor, writeEvent } from '../streams/index.ts';
import type { EditorOptions, Unread } from '../streams/index.ts';
import type { Dialect, Framing, Meter, StreamEditor } from '../types.ts';
import { Channels, type OpenStage } from './channels.ts';
import { createDocumentEditor, listOrDocument } from './document-editor.ts';
import { createMessagesEditor } from './messages-editor.ts';
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
  const told: EditorOptions = { limit: longestEvent, ...(options.onUnread === undefined ? {} : { onUnread: options.onUnread }) };
  switch (options.framing) {
    case 'sse':
      return withRest(createSseEditor(({ data, event }) => written(editEvent(data, event, editing), (value) => named(options.dialect, value)), told), (last) => eventsOf(editing, last));
    case 'json-lines':
      return withRest(createLinesEditor((line) => written(editEvent(line, undefined, editing), (value) => JSON.stringify(value)), told), (last) => linesOf(editing, last));
    case 'event-stream':
      return createMessagesEditor(editing, told);
    case 'json':
      return options.dialect.lists === 'events' ? listOrDocument({ list: () => listEditor(editing, told), document: () => createDocumentEditor(editing, told) }) : createDocumentEditor(editing, told);
  }
}

/** Octets, as of a document: an event may hold a picture in base64, and the usage beside it. */
const longestEvent = 64 * 1024 * 1024;

function listEditor(editing: EventEditing, told: EditorOptions): StreamEditor {
  const write = (value: unknown): string => JSON.stringify(value);
  return createListEditor((element) => written(editEvent(element, undefined, editing), write), { ...told, rest: () => restOf(editing).map(write) });
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

export function written<Event>(edited: EditedEvent, write: (value: unknown) => Event): Written<Event> {
  if (typeof edited === 'string') return edited;
  return { before: edited.before.map(write), ...(edited.data === undefined ? {} : { data: edited.data }) };
}

function named({ eventName }: Dialect, value: unknown): { readonly event?: string; readonly data: string } {
  const event = eventName(value);
  return { ...(event === undefined ? {} : { event }), data: JSON.stringify(value) };
}
