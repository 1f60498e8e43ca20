import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';

/** What waits for an answer: one request and the verdict that asks about it. */
export interface ApprovalSubject {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** Of the process that waits, on the host; absent where none does. */
  readonly process?: number;
  /**
   * Further lines of what will happen, unfiltered: the executable fields of a file, the credential that a request uses.
   */
  readonly details?: readonly string[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/**
 * `once`: exactly this request, now. `session`: the same request until the session ends. `always`: the same, and a rule
 * is
 * written to the user's policy, which was shown before.
 */
export const approvalDecisions = ['once', 'session', 'always', 'deny'] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

/**
 * One entry of the queue, as every channel shows it. All texts are filtered: nothing in them is hidden or moves a
 * cursor.
 */
export interface PendingApproval {
  /** The first twelve digits of `hash`, or more where two begin alike. What a person types. */
  readonly id: string;
  /**
   * SHA-256 over session, request, rule and details, and a number that only this session knows, in lower-case
   * hexadecimal. An answer names it.
   */
  readonly hash: string;
  readonly session: string;
  /** Real path. */
  readonly workspace: string;
  /** One line: what will happen. */
  readonly title: string;
  /** What will happen, exactly, line by line. */
  readonly lines: readonly string[];
  /** Name of the rule that asks, and where it is written. */
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** What `always` would add to the user's policy; absent where no rule can say it, and then `always` is no answer. */
  readonly always?: { readonly file: string; readonly text: string };
  /** `totp`: an answer other than `deny` needs a code. */
  readonly confirmation: 'none' | 'totp';
  /** How many callers wait for this one answer. */
  readonly waiting: number;
}

/** Where an answer came from; the journal has it. */
export type ChannelName = 'terminal' | 'prompt' | 'dashboard' | 'webhook' | 'editor' | 'library';

export interface ApprovalAnswer {
  /** The full hash: an answer is to what was shown and to nothing else. */
  readonly hash: string;
  readonly decision: ApprovalDecision;
  readonly channel: ChannelName;
  /** Six digits, where `confirmation` is `totp`. */
  readonly code?: string;
}

export type AnswerResult =
  | { readonly kind: 'taken' }
  /** Nothing with this hash waits: it was answered, has expired, or never was. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'code-needed' }
  | { readonly kind: 'code-wrong' }
  /** Too many wrong codes, or the answer is none that this request can have. */
  | { readonly kind: 'refused'; readonly message: string };

/** How the waiting ended. `how` completes the verdict's message where it is a denial. */
export type ApprovalOutcome =
  | { readonly kind: 'allowed'; readonly decision: Exclude<ApprovalDecision, 'deny'>; readonly channel: ChannelName }
  | {
      readonly kind: 'denied';
      readonly because:
        | 'answer'
        | 'time-out'
        | 'nobody'
        | 'repeated'
        | 'full'
        | 'hidden'
        | 'closed'
        | 'withdrawn'
        | 'failure';
      readonly message: string;
    };

/** One of a session. Any number of channels look at it. */
export interface ApprovalQueue {
  /** Never throws: what goes wrong is a denial that says so. */
  ask(subject: ApprovalSubject): Promise<ApprovalOutcome>;
  /** Oldest first. */
  pending(): readonly PendingApproval[];
  answer(answer: ApprovalAnswer): AnswerResult;
  /** Called after each change, with what came and what went. Gives the way to end it. */
  subscribe(listener: (change: QueueChange) => void): () => void;
  /** Denies what waits, and everything after. */
  close(): void;
}

export type QueueChange =
  | { readonly kind: 'asked'; readonly approval: PendingApproval }
  | { readonly kind: 'resolved'; readonly approval: PendingApproval; readonly outcome: ApprovalOutcome };
