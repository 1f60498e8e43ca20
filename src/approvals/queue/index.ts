/**
 * The queue: what waits in one session for somebody's yes, how long, and what becomes of it. Pure but for the clock that it is
 * handed: channels, files and policies may not enter.
 */
export { createApprovalQueue } from './approval-queue.ts';
export { type Clock, systemClock } from './clock.ts';
export type { AlwaysRules, ApprovalEvent, ApprovalQueueOptions, CodeCheck, CodeResult } from './options.ts';
