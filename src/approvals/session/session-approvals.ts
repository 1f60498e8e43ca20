import { EventEmitter, on } from 'node:events';
import type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalOutcome,
  AskingApprovals,
  PendingApproval,
  QueueChange,
  ApprovalSubject,
} from '../types.ts';
import type { ApprovalsState, OpenApprovals, OpenApprovalsOptions } from './open-approvals.ts';

/**
 * The approvals of one session. The queue and its channels are loaded with the first question, so that a command
 * without questions waits for nothing.
 */
export interface SessionApprovals extends AskingApprovals {
  /** Oldest first. */
  pending(): readonly PendingApproval[];
  answer(answer: Omit<ApprovalAnswer, 'channel'>): AnswerResult;
  /** Adds a listener, which counts as someone who can answer. The returned function removes it. */
  subscribe(listener: (change: QueueChange) => void): () => void;
  /** From now on a command may use the terminal, so Holdfast asks nothing there. */
  giveTerminalAway(): void;
  /** Denies all waiting and later questions, and removes the socket. */
  close(): void;
  /** Aborted by `close`. */
  readonly closed: AbortSignal;
}

export interface SessionApprovalsOptions extends OpenApprovalsOptions {
  /** `ours`: a person started this process at a terminal, and may be asked there. */
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
      // Wraps the function, so that subscribing it twice gives two subscriptions.
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

const ended: ApprovalOutcome = {
  kind: 'denied',
  because: 'closed',
  message: 'the session has ended, so it was denied',
};

/** The pending approvals of one sandbox. */
export class SandboxApprovals {
  readonly #session: SessionApprovals;

  constructor(session: SessionApprovals) {
    this.#session = session;
  }

  /** Lists pending approvals, oldest first. Their texts are filtered. */
  pending(): readonly PendingApproval[] {
    return this.#session.pending();
  }

  /** Answers the question with this full hash. Returns `unknown` if no such question waits. */
  answer(answer: Omit<ApprovalAnswer, 'channel'>): AnswerResult {
    return this.#session.answer(answer);
  }

  /**
   * Yields added and removed approvals from the call on, until the signal is aborted or the loop is left. While it
   * runs, someone counts as present, and questions wait.
   *
   * @example
   * for await (const { kind, approval } of sandbox.approvals.changes()) {
   *   if (kind === 'asked') sandbox.approvals.answer({ hash: approval.hash, decision: 'deny' });
   * }
   */
  changes(signal?: AbortSignal): AsyncIterableIterator<QueueChange> {
    const { closed } = this.#session;
    const stop = signal === undefined ? closed : AbortSignal.any([closed, signal]);
    if (stop.aborted) return nothing();
    const emitter = new EventEmitter();
    const unsubscribe = this.#session.subscribe((change) => emitter.emit('change', change));
    return told(on(emitter, 'change', { signal: stop }) as AsyncIterableIterator<readonly [QueueChange]>, {
      stop,
      unsubscribe,
    });
  }
}

async function* told(
  changes: AsyncIterable<readonly [QueueChange]>,
  { stop, unsubscribe }: { readonly stop: AbortSignal; readonly unsubscribe: () => void },
): AsyncGenerator<QueueChange> {
  try {
    for await (const [change] of changes) yield change;
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    unsubscribe();
  }
}

async function* nothing(): AsyncGenerator<QueueChange> {}

/**
 * Asks about each request of one call, one after the other. All must be allowed. Returns the first denial, or
 * undefined.
 */
export async function askAll(
  { ask }: Pick<SessionApprovals, 'ask'>,
  subjects: readonly ApprovalSubject[],
): Promise<Extract<ApprovalOutcome, { readonly kind: 'denied' }> | undefined> {
  for (const subject of subjects) {
    const outcome = await ask(subject);
    if (outcome.kind === 'denied') return outcome;
  }
  return undefined;
}
