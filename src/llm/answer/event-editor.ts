import type { LineEdit } from '../streams/index.ts';
import { type AnswerOptions, written } from './answer-editor.ts';
import { Channels } from './channels.ts';
import { editEvent, type EventEditing, restOf } from './edit-event.ts';

/** One answer whose events come one by one. */
export interface EventEditor {
  /** What becomes of the next one. */
  edit(data: string): LineEdit;
  /** What was held back of texts that did not end, as events: no more come. */
  end(): readonly string[];
}

/** As `createAnswerEditor`, for events that have a framing of their own, such as messages of a WebSocket. */
export function createEventEditor(options: Pick<AnswerOptions, 'dialect' | 'meter' | 'open' | 'usageOnly'>): EventEditor {
  const editing: EventEditing = { ...options, channels: new Channels(options.open) };
  const write = (value: unknown): string => JSON.stringify(value);
  return { edit: (data) => written(editEvent(data, undefined, editing), write), end: () => restOf(editing).map(write) };
}
