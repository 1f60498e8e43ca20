import type { PolicyRequest } from '../../policy/request.ts';
import type { JournalledVerdict } from '../../policy/verdict.ts';
import type { Presentation } from '../present/present-subject.ts';
import type {
  AnswerResult,
  ApprovalDecision,
  ApprovalOutcome,
  ApprovalSubject,
  ChannelName,
  PendingApproval,
} from '../types.ts';

export interface ApprovalQueueOptions {
  readonly session: string;
  /** Real path. */
  readonly workspace: string;
  /** Milliseconds after which an unanswered question is denied. Default: 60,000. */
  readonly timeout?: number;
  /** Writes an event durably. If it throws, the request is denied and shown to nobody. */
  readonly journal: (event: ApprovalEvent) => void;
  /**
   * Resolves whether anyone can answer, as soon as that is known. Called once for each question, while it is in
   * `pending`. Default: someone.
   */
  readonly audience?: () => Promise<'someone' | 'nobody'>;
  /** Default: none, and `always` is then no valid answer. */
  readonly always?: AlwaysRules;
  /** Default: no rule needs a code. */
  readonly codes?: CodeCheck;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Default: `presentSubject`. */
  readonly present?: (subject: ApprovalSubject) => Presentation;
}

/** Writes rules for `always` into a user's policy. */
export interface AlwaysRules {
  /**
   * Returns the text to add and its file. Undefined if no rule can express the request. Not called while a hundred
   * questions wait. Must not throw.
   */
  propose(subject: ApprovalSubject): PendingApproval['always'];
  /** Writes the shown text, or throws a one-line error. */
  write(subject: ApprovalSubject, shown: NonNullable<PendingApproval['always']>): void;
}

/** One-time codes from another device. */
export interface CodeCheck {
  /** Returns whether answers to this rule's questions need a code. */
  covers(rule: string): boolean;
  /** Checks a code, and marks a correct one as used. Must not throw. */
  check(code: string): CodeVerdict;
}

export type CodeVerdict =
  | { readonly kind: 'right' | 'wrong' }
  /** No code is valid now. `message` gives the reason in one line. */
  | { readonly kind: 'refused'; readonly message: string };

/** Events for the journal, as in `src/audit/events.ts`. */
export type ApprovalEvent = RequestedEvent | ResolvedEvent;

interface RequestedEvent {
  readonly type: 'approval.requested';
  readonly session: string;
  readonly workspace: string;
  readonly hash: string;
  readonly request: PolicyRequest;
  readonly verdict: JournalledVerdict;
  readonly title: string;
}

interface ResolvedEvent {
  readonly type: 'approval.resolved';
  readonly session: string;
  readonly workspace: string;
  readonly hash: string;
  readonly decision: ApprovalDecision;
  readonly because?: Extract<ApprovalOutcome, { readonly kind: 'denied' }>['because'];
  readonly channel?: ChannelName;
  readonly waited: number;
}

/** Returns why an answer with this code is not taken. Undefined for the right code. */
export function refusedCode(codes: CodeCheck | undefined, code: string | undefined): AnswerResult | undefined {
  if (code === undefined) return { kind: 'code-needed' };
  const result: CodeVerdict = codes?.check(code) ?? { kind: 'wrong' };
  switch (result.kind) {
    case 'right':
      return undefined;
    case 'wrong':
      return { kind: 'code-wrong' };
    case 'refused':
      return result;
  }
}

/** The queue's clock. Tests pass in one that stands still. */
export interface Clock {
  /** Milliseconds since the epoch, shown and journalled. */
  now(): number;
  /** Milliseconds of a clock that never jumps. Setting the machine's clock neither ends nor prolongs a pause. */
  elapsed(): number;
  /** Calls `act` once, after this many milliseconds. The returned function cancels it. */
  after(milliseconds: number, act: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};
