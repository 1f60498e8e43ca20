/**
 * What brokers of wire protocols share: two sides that are carried to their end, and a look at what passes between them.
 * No protocol is known here.
 */
export { bothClosed } from './both-closed.ts';
export { farewell } from './farewell.ts';
export { createLateWriter } from './late-writer.ts';
export { type Ends, serveEnds } from './serve-ends.ts';
export { alarmOf, createStreamScreen, type StreamScreen } from './stream-screen.ts';
export { createTurnEnd, type TurnEnd } from './turn-end.ts';
export { writePieces } from './write-pieces.ts';
