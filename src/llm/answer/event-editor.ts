import { unwrapChunk, wrapChunk } from '../streams/event-stream/chunk.ts';
import { createEventStreamEditor } from '../streams/event-stream/event-stream-editor.ts';
import { createLinesEditor } from '../streams/lines-editor.ts';
import { createListEditor } from '../streams/list-editor.ts';
import { createSseEditor, writeEvent } from '../streams/sse/sse-editor.ts';
import type { EditorOptions, EventStreamEdit, EventStreamMessage, LineEdit, Unread } from '../streams/types.ts';
import type { Dialect, EventReading, StreamFraming, CallMeter, StreamEditor } from '../types.ts';
import { Channels, type OpenStage } from './channels.ts';
import { editDelta, type EditedEvent, editEvent, type EventEditing, restOf, valueAt, withTexts } from './edit-event.ts';

/** Edits one answer whose events arrive one by one. */
export interface EventEditor {
  /** Returns the result for the next event. */
  edit(data: string): LineEdit;
  /** Returns the text held back of open texts, as events. Called after the last event. */
  end(): readonly string[];
}

/** Like `createAnswerEditor`, for events with their own framing, such as messages of a WebSocket. */
export function createEventEditor(
  options: Pick<AnswerOptions, 'dialect' | 'meter' | 'open' | 'usageOnly'>,
): EventEditor {
  const editing: EventEditing = { ...options, channels: new Channels(options.open) };
  const write = (value: unknown): string => JSON.stringify(value);
  return { edit: (data) => written(editEvent(data, undefined, editing), write), end: () => restOf(editing).map(write) };
}

export interface AnswerOptions {
  readonly dialect: Dialect;
  readonly framing: Exclude<StreamFraming, 'websocket'>;
  readonly meter: CallMeter;
  /** Opens the stage for each text of the answer. */
  readonly open: OpenStage;
  readonly usageOnly: 'keep' | 'drop';
  /** Called for content that passed without being searched. */
  readonly onUnread?: (why: Unread) => void;
}

/**
 * Meters an answer and changes its texts while it streams. A document that is not a stream is collected, and comes out
 * when it is complete.
 */
export function createAnswerEditor(options: AnswerOptions): StreamEditor {
  const editing: EventEditing = { ...options, channels: new Channels(options.open) };
  const told: EditorOptions = {
    limit: longestEvent,
    ...(options.onUnread === undefined ? {} : { onUnread: options.onUnread }),
  };
  switch (options.framing) {
    case 'sse':
      return withRest(
        createSseEditor(
          ({ data, event }) => written(editEvent(data, event, editing), (value) => named(options.dialect, value)),
          told,
        ),
        (last) => eventsOf(editing, last),
      );
    case 'json-lines':
      return withRest(
        createLinesEditor(
          (line) => written(editEvent(line, undefined, editing), (value) => JSON.stringify(value)),
          told,
        ),
        (last) => linesOf(editing, last),
      );
    case 'event-stream':
      return createMessagesEditor(editing, told);
    case 'json':
      return options.dialect.lists === 'events'
        ? listOrDocument({ list: () => listEditor(editing, told), document: () => createDocumentEditor(editing, told) })
        : createDocumentEditor(editing, told);
  }
}

/** Most octets of an event, as many as of a document. An event may hold a base64 image together with its usage. */
const longestEvent = 64 * 1024 * 1024;

function listEditor(editing: EventEditing, told: EditorOptions): StreamEditor {
  const write = (value: unknown): string => JSON.stringify(value);
  return createListEditor((element) => written(editEvent(element, undefined, editing), write), {
    ...told,
    rest: () => restOf(editing).map(write),
  });
}

/** Writes the text held back even if a server ends its stream without ending its texts. */
function withRest(editor: StreamEditor, join: (last: Buffer) => readonly (Buffer | string)[]): StreamEditor {
  return {
    push: (bytes) => editor.push(bytes),
    end: () => Buffer.concat(join(editor.end()).map((part) => Buffer.from(part))),
  };
}

/** Puts the events before an incomplete event, because readers drop that one. */
function eventsOf(editing: EventEditing, last: Buffer): readonly (Buffer | string)[] {
  return [...restOf(editing).map((value) => writeEvent(named(editing.dialect, value))), last];
}

/** Puts the lines after the last line, which needs no line end. */
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

/**
 * Edits answers in an event stream of AWS. Text that was held back is sent at the end of the stream, or before an error
 * or damaged bytes.
 */
function createMessagesEditor(editing: EventEditing, told: EditorOptions): StreamEditor {
  let like: EventStreamMessage | undefined;
  const made = (value: unknown): EventStreamMessage => messageOf(value, like ?? bare, editing);
  const edit = (message: EventStreamMessage): EventStreamEdit => {
    // On an exception or an error, readers throw, and read nothing after it.
    const isEvent = (message.headers[':message-type'] ?? 'event') === 'event';
    if (isEvent) like = message;
    const edited = editMessage(message, editing);
    if (edited === 'drop') return edited;
    const { before = [], ...changed } = edited === 'same' ? {} : edited;
    return { ...changed, before: [...before, ...(isEvent ? [] : restOf(editing))].map(made) };
  };
  return createEventStreamEditor(edit, { ...told, rest: () => restOf(editing).map(made) });
}

const bare: EventStreamMessage = {
  headers: { ':message-type': 'event', ':content-type': 'application/json' },
  payload: Buffer.alloc(0),
};

type Edited = 'same' | 'drop' | { readonly before: readonly unknown[]; readonly payload?: Buffer };

/** In `invoke-with-response-stream`, the JSON is base64 within the payload. */
function editMessage({ headers, payload }: EventStreamMessage, editing: EventEditing): Edited {
  const name = headers[':event-type'] ?? headers[':exception-type'];
  const inner = name === 'chunk' ? unwrapChunk(payload) : undefined;
  const edited = editEvent((inner ?? payload).toString(), name, editing);
  if (typeof edited === 'string') return edited;
  const { before, data } = edited;
  return {
    before,
    ...(data === undefined
      ? {}
      : { payload: inner === undefined ? Buffer.from(data) : wrapChunk(Buffer.from(data), payload) }),
  };
}

/** Returns an event in the form of the last message. */
function messageOf(value: unknown, like: EventStreamMessage, { dialect }: EventEditing): EventStreamMessage {
  const name = like.headers[':event-type'];
  const json = Buffer.from(JSON.stringify(value));
  const isChunk = name === 'chunk' && unwrapChunk(like.payload) !== undefined;
  return {
    headers: { ...like.headers, ':event-type': dialect.eventName(value) ?? name ?? '' },
    payload: isChunk ? wrapChunk(json, like.payload) : json,
  };
}

/** Most octets of a document that is searched. A longer document passes unchanged. */
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

/** Most octets before a document. No server writes more. */
const longestMargin = 1024;

/** Distinguishes a list from other documents by the first octet that is not white space. */
function listOrDocument(editors: {
  readonly list: () => StreamEditor;
  readonly document: () => StreamEditor;
}): StreamEditor {
  let chosen: StreamEditor | undefined;
  let margin = Buffer.alloc(0);
  const choose = (begun: Buffer): StreamEditor | undefined => {
    const first = begun
      .toString('latin1')
      .replace(/^\u00ef\u00bb\u00bf/u, '')
      .trimStart()
      .charAt(0);
    if (first === '' && begun.length < longestMargin) return undefined;
    return first === '[' ? editors.list() : editors.document();
  };
  return {
    push(bytes) {
      if (chosen !== undefined) return chosen.push(bytes);
      const begun = Buffer.concat([margin, bytes]);
      chosen = choose(begun);
      margin = chosen === undefined ? begun : Buffer.alloc(0);
      return chosen?.push(begun) ?? margin.subarray(0, 0);
    },
    end: () => (chosen === undefined ? margin : chosen.end()),
  };
}

/** Changes the texts of a whole answer in place. Text that is not JSON stays unchanged. */
function editDocument(data: string, { dialect, meter, channels }: EventEditing): string {
  const document = parsed(data);
  if (document === undefined) return data;
  meter.read(document, undefined);
  const { deltas, tools = [] }: EventReading = dialect.readDocument(document);
  channels.name(tools);
  const texts = new Map<string, string>();
  for (const delta of deltas) {
    editDelta(delta, document, { channels, texts });
    if (delta.kind === 'arguments-value') continue;
    const rest = channels.finish(delta);
    if (rest === '') continue;
    const key = JSON.stringify(delta.path);
    texts.set(key, (texts.get(key) ?? String(valueAt(document, delta.path))) + rest);
  }
  return texts.size === 0 ? data : (withTexts(data, deltas, { channels, texts }) ?? data);
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
