import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';

/** The subject of an approval: one request, and the verdict that asks about it. */
export interface ApprovalSubject {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** PID of the waiting process, on the host. Undefined if no process waits. */
  readonly process?: number;
  /**
   * Further lines of what will happen, unfiltered, such as the executable fields of a file, or the credential that a
   * request uses.
   */
  readonly details?: readonly string[];
  /** Aborted when no caller waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/**
 * `once`: exactly this request, now. `session`: the same request until the session ends. `always`: the same, and the
 * shown rule is written to the user's policy.
 */
export const approvalDecisions = ['once', 'session', 'always', 'deny'] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

/** A pending approval, as every channel shows it. All texts are filtered: they hide nothing and move no cursor. */
export interface PendingApproval {
  /** The first twelve digits of `hash`, or more if two begin alike. People type it. */
  readonly id: string;
  /**
   * SHA-256, in lower-case hexadecimal, over session, request, rule, details and a number that only this session knows.
   * An answer names it.
   */
  readonly hash: string;
  readonly session: string;
  /** Real path. */
  readonly workspace: string;
  /** One line that says what will happen. */
  readonly title: string;
  /** Says exactly what will happen, line by line. */
  readonly lines: readonly string[];
  /** Name of the asking rule, and its place in a file. */
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /**
   * The text that `always` would add to the user's policy. Undefined if no rule can express the request; `always` is
   * then no valid answer.
   */
  readonly always?: { readonly file: string; readonly text: string };
  /** `totp`: every answer but `deny` needs a code. */
  readonly confirmation: 'none' | 'totp';
  /** Number of callers that wait for this answer. */
  readonly waiting: number;
}

/** The channel of an answer, also in the journal. */
export type ChannelName = 'terminal' | 'prompt' | 'dashboard' | 'webhook' | 'editor' | 'library';

export interface ApprovalAnswer {
  /** The full hash. An answer counts only for the question that was shown. */
  readonly hash: string;
  readonly decision: ApprovalDecision;
  readonly channel: ChannelName;
  /** Six digits, if `confirmation` is `totp`. */
  readonly code?: string;
}

export type AnswerResult =
  | { readonly kind: 'taken' }
  /** No question with this hash waits: it was answered, has expired, or never existed. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'code-needed' }
  | { readonly kind: 'code-wrong' }
  /** Too many wrong codes, or an answer that this request does not accept. */
  | { readonly kind: 'refused'; readonly message: string };

/** The end of a question. For a denial, `how` completes the verdict's message. */
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

export interface AskingApprovals {
  /** Waits for the answer. Never throws: an error becomes a denial that says so. */
  ask(subject: ApprovalSubject): Promise<ApprovalOutcome>;
}

/** The queue of one session, for any number of channels. */
export interface ApprovalQueue extends AskingApprovals {
  /** Oldest first. */
  pending(): readonly PendingApproval[];
  answer(answer: ApprovalAnswer): AnswerResult;
  /**
   * Calls the listener after each change, with the approval that was added or removed. The returned function removes
   * the listener.
   */
  subscribe(listener: (change: QueueChange) => void): () => void;
  /** Denies all waiting and later questions. */
  close(): void;
}

export type QueueChange =
  | { readonly kind: 'asked'; readonly approval: PendingApproval }
  | { readonly kind: 'resolved'; readonly approval: PendingApproval; readonly outcome: ApprovalOutcome };
