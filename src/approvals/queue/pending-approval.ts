import { escapeHidden } from '../../text/escape-hidden.ts';
import type { Presentation } from '../present/present-subject.ts';
import type { ApprovalOutcome, PendingApproval, QueueChange, ApprovalSubject } from '../types.ts';
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
 * Listeners of the queue. All of them get every change, in the same order. If a listener answers during a call,
 * everybody gets that change after the current one.
 */
export class QueueListeners {
  readonly #listeners = new Set<(change: QueueChange) => void>();
  readonly #changes: QueueChange[] = [];
  #state: 'quiet' | 'telling' = 'quiet';

  add(listener: (change: QueueChange) => void): () => void {
    // The same function twice is two subscriptions.
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

  /** A channel that fails is that channel's loss. One that comes meanwhile finds the change in what waits. */
  #tellAll(change: QueueChange): void {
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(change);
      } catch {
        // The others still have to hear it.
      }
    }
  }
}

/** One question and who waits for its answer. */
export interface QueueEntry {
  readonly subject: ApprovalSubject;
  readonly rule: string;
  approval: PendingApproval;
  readonly waiters: Set<Waiter>;
  /** When it was asked, in milliseconds that never jump. */
  readonly since: number;
  /** Characters of its lines. */
  readonly size: number;
  /** Calls the time-out off. */
  cancel: () => void;
}

export type Waiter = (outcome: ApprovalOutcome) => void;

/** Names for people: twelve digits of a hash, or as many more as it takes to differ from every other that waits. */
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
