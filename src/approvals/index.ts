/**
 * The approvals room: one queue of pending approvals for each session, and the channels that show it.
 *
 * It knows no enforcement point. Channels show filtered text of exactly what will happen, and an answer names its hash.
 * A box must not reach anything in here, and no environment variable can answer.
 */
export type { AlwaysRules, ApprovalEvent, ApprovalQueueOptions, CodeCheck, CodeVerdict } from './queue/options.ts';
export { type Clock, systemClock } from './queue/options.ts';
export { createApprovalQueue } from './queue/approval-queue.ts';
export type { Presentation } from './present/present-subject.ts';
export type { TerminalPrompt } from './prompt/ask-at-terminal.ts';
export { askApproval, askSure, type TerminalDecision } from './prompt/ask-approval.ts';
export type { TerminalAnswer, TerminalChoice, TerminalQuestion } from './prompt/render-question.ts';
export type { SocketChannel } from './socket/messages.ts';
export {
  watchApprovals,
  type ApprovalWatch,
  type WatchApprovalsOptions,
  type WatchedChange,
} from './socket/watch-approvals.ts';
export type { GivenAnswer } from './socket/connect-session.ts';
export type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalQueue,
  ChannelName,
  ApprovalOutcome,
  PendingApproval,
  QueueChange,
  ApprovalSubject,
} from './types.ts';
