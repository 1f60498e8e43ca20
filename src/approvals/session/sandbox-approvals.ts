import { EventEmitter, on } from 'node:events';
import type { AnswerResult, ApprovalAnswer, PendingApproval, QueueChange } from '../types.ts';
import type { SessionApprovals } from './session-approvals.ts';

/** What waits in one sandbox for somebody's yes. */
export class SandboxApprovals {
  readonly #session: SessionApprovals;

  constructor(session: SessionApprovals) {
    this.#session = session;
  }

  /** Oldest first. Their texts are filtered. */
  pending(): readonly PendingApproval[] {
    return this.#session.pending();
  }

  /** Answers the question with this full hash. `unknown` when nothing with it waits. */
  answer(answer: Omit<ApprovalAnswer, 'channel'>): AnswerResult {
    return this.#session.answer(answer);
  }

  /**
   * What comes and what goes, from the moment of the call until the signal is aborted or the loop is left. As long as
   * it runs, somebody is there: questions wait.
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
