/** An answer of a model as it streams: metered, and its texts changed in place. What they go through is said from outside. */
export { type AnswerOptions, createAnswerEditor } from './answer-editor.ts';
export type { OpenStage, TextStage } from './channels.ts';
export { createEventEditor, type EventEditor } from './event-editor.ts';
