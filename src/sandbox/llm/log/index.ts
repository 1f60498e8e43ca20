/** Texts of calls, kept where the policy says so: written while an answer streams, pruned by age and size, read by the command line. */
export { createCallLog } from './call-log.ts';
export { isCallId } from './call-id.ts';
export { callFile } from './file-name.ts';
export type { KeptContent } from './line-types.ts';
export type { KeptCall } from './kept-call.ts';
export { type KeptTexts, readKeptCall } from './read-call.ts';
export { refusedUnkept } from './refused-unkept.ts';
