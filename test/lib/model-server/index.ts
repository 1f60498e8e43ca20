export { defaultUsage } from './answers.ts';
export { eventStreamMessage } from './framing.ts';
export { startModelServer } from './start.ts';
export type * from './types.ts';
