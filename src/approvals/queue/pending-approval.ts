import { escapeHidden } from '../../text/escape-hidden.ts';
import type { Presentation } from '../present/present-subject.ts';
import type { ApprovalOutcome, ApprovalSubject, PendingApproval, QueueChange } from '../types.ts';
import type { ApprovalQueueOptions } from './options.ts';

export interface QuestionFacts {
  readonly id: string;
  readonly hash: string;
  readonly shown: Extract<Presentation, { readonly kind: 'shown' }>;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** Number of questions that already wait. */
  readonly before: number;
}

/** Finding a rule takes milliseconds, so a flood gets no proposals. */
const mostProposals = 100;

/**
 * Returns a question as channels show it. The policy's own texts are filtered too, because they may quote a repository.
 */
export function pendingApproval(
  subject: ApprovalSubject,
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

/**
 * Listeners of the queue. All of them get every change, in the same order. If a listener answers during a call, all
 * listeners get that change after the current one.
 */
export class QueueListeners {
  readonly #listeners = new Set<(change: QueueChange) => void>();
  readonly #changes: QueueChange[] = [];
  #state: 'quiet' | 'telling' = 'quiet';

  add(listener: (change: QueueChange) => void): () => void {
    // Wraps the function, so that subscribing it twice gives two subscriptions.
    const own = (change: QueueChange): void => listener(change);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(change: QueueChange): void {
    this.#changes.push(change);
    if (this.#state === 'telling') return;
    this.#state = 'telling';
    for (let next = this.#changes.shift(); next !== undefined; next = this.#changes.shift()) this.#tellAll(next);
    this.#state = 'quiet';
  }

  /** A failing channel harms only itself. A listener added during the call finds the change in `pending`. */
  #tellAll(change: QueueChange): void {
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(change);
      } catch {
        // The other listeners must still get the change.
      }
    }
  }
}

/** One question and its waiting callers. */
export interface QueueEntry {
  readonly subject: ApprovalSubject;
  readonly rule: string;
  approval: PendingApproval;
  readonly waiters: Set<Waiter>;
  /** Time of the question, in milliseconds of a clock that never jumps. */
  readonly since: number;
  /** Characters of the question's lines. */
  readonly size: number;
  /** Cancels the time-out. */
  cancel: () => void;
}

export type Waiter = (outcome: ApprovalOutcome) => void;

/** IDs for people: twelve digits of a hash, or as many more as it takes to be unique among waiting questions. */
export class Identifiers {
  readonly #taken = new Set<string>();

  take(hash: string): string {
    let length = shortest;
    while (length < hash.length && this.#taken.has(hash.slice(0, length))) length += 1;
    const id = hash.slice(0, length);
    this.#taken.add(id);
    return id;
  }

  release(id: string): void {
    this.#taken.delete(id);
  }
}

const shortest = 12;

/** Rule names are unique within a file. */
export function ruleKey({ verdict: { file, rule } }: ApprovalSubject): string {
  return `${file}\n${rule}`;
}

export function countWaiters(entry: QueueEntry): void {
  entry.approval = { ...entry.approval, waiting: entry.waiters.size };
}
