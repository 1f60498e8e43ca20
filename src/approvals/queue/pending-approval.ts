import { escapeHidden } from '../../text/escape-hidden.ts';
import type { Presentation } from '../present/present-subject.ts';
import type { PendingApproval, Subject } from '../types.ts';
import type { ApprovalQueueOptions } from './options.ts';

export interface QuestionFacts {
  readonly id: string;
  readonly hash: string;
  readonly shown: Extract<Presentation, { readonly kind: 'shown' }>;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** How many questions wait already. */
  readonly before: number;
}

/** To find a rule takes milliseconds, which a flood must not cost. */
const mostProposals = 100;

/**
 * A question as channels show it. The policy's own texts may quote what a repository chose, so they are filtered too.
 */
export function pendingApproval(
  subject: Subject,
  { shown, before, ...facts }: QuestionFacts,
  { session, workspace, always, codes }: ApprovalQueueOptions,
): PendingApproval {
  const { rule, file, line, message, remedy } = subject.verdict;
  const proposed = before < mostProposals ? always?.propose(subject) : undefined;
  return {
    ...facts,
    session,
    workspace: escapeHidden(workspace),
    title: shown.title,
    lines: shown.lines,
    rule: escapeHidden(rule),
    file: escapeHidden(file),
    line,
    message: escapeHidden(message),
    remedy: escapeHidden(remedy),
    ...(proposed === undefined ? {} : { always: proposed }),
    confirmation: codes?.covers(rule) === true ? 'totp' : 'none',
    waiting: 1,
  };
}
