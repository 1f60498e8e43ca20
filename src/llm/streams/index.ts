/** Changes streams in flight: server-sent events, event streams of AWS, lines and lists of JSON, messages of WebSockets. Knows no dialect. */
export { createEventStreamEditor } from './event-stream/event-stream-editor.ts';
export { unwrapChunk, wrapChunk } from './event-stream/chunk.ts';
export { createLinesEditor } from './lines-editor.ts';
export { createListEditor } from './list-editor.ts';
export { createMessageEditor } from './message-editor.ts';
export { createSseEditor } from './sse/sse-editor.ts';
export { writeEvent } from './sse/write-event.ts';
export type * from './types.ts';
