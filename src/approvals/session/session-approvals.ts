import type { AnswerResult, ApprovalAnswer, Outcome, PendingApproval, QueueChange, Subject } from '../types.ts';
import type { ApprovalsState, OpenApprovals, OpenApprovalsOptions } from './open-approvals.ts';

/**
 * Who is asked in one session. What serves it is loaded with the first question: a command that asks nothing waits for
 * nothing.
 */
export interface SessionApprovals {
  /** Waits for the answer. Never throws: what goes wrong is a denial that says so. */
  ask(subject: Subject): Promise<Outcome>;
  /** Oldest first. */
  pending(): readonly PendingApproval[];
  answer(answer: Omit<ApprovalAnswer, 'channel'>): AnswerResult;
  /** Whoever listens is somebody who can answer. Gives the way to end it. */
  subscribe(listener: (change: QueueChange) => void): () => void;
  /** From here on a command may have the terminal, and nothing is asked there. */
  giveTerminalAway(): void;
  /** Denies what waits and everything after, and removes the socket. */
  close(): void;
  /** Aborted by `close`. */
  readonly closed: AbortSignal;
}

export interface SessionApprovalsOptions extends OpenApprovalsOptions {
  /** `ours`: a person started this at a terminal, and may be asked there. */
  readonly terminal: 'ours' | 'none';
}

export function sessionApprovals(options: SessionApprovalsOptions): SessionApprovals {
  const state: ApprovalsState = { terminal: options.terminal, listeners: new Set() };
  let loading: Promise<OpenApprovals> | undefined;
  let opened: OpenApprovals | undefined;
  const closing = new AbortController();
  const open = async (): Promise<OpenApprovals> => {
    const { openApprovals } = await import('./open-approvals.ts');
    opened = await openApprovals(options, state);
    if (closing.signal.aborted) opened.close();
    return opened;
  };
  return {
    async ask(subject) {
      try {
        if (closing.signal.aborted) return ended;
        return await (await (loading ??= open())).ask(subject);
      } catch (error) {
        return {
          kind: 'denied',
          because: 'failure',
          message: `it could not be asked (${error instanceof Error ? error.message : String(error)}), so it was denied`,
        };
      }
    },
    pending: () => opened?.pending() ?? [],
    answer: (answer) => opened?.answer({ ...answer, channel: 'library' }) ?? { kind: 'unknown' },
    subscribe(listener) {
      // The same function twice is two subscriptions.
      const own = (change: QueueChange): void => listener(change);
      state.listeners.add(own);
      return () => void state.listeners.delete(own);
    },
    giveTerminalAway() {
      if (state.terminal === 'ours') state.terminal = 'given-away';
    },
    close() {
      closing.abort();
      opened?.close();
    },
    closed: closing.signal,
  };
}

const ended: Outcome = { kind: 'denied', because: 'closed', message: 'the session has ended, so it was denied' };
