import { createHash } from 'node:crypto';
import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { Presentation } from '../present/present-subject.ts';
import type { ApprovalDecision, ChannelName, ApprovalOutcome, PendingApproval, ApprovalSubject } from '../types.ts';

export interface ApprovalQueueOptions {
  readonly session: string;
  /** Real path. */
  readonly workspace: string;
  /** Milliseconds until what nobody answers is denied. Default 60,000. */
  readonly timeout?: number;
  /** Durable when it returns. Where it throws, the request is denied and nobody is shown it. */
  readonly journal: (event: ApprovalEvent) => void;
  /**
   * Whether anybody can answer, as soon as that is known. Asked once for each question, when it is in `pending`.
   * Default: someone.
   */
  readonly audience?: () => Promise<'someone' | 'nobody'>;
  /** Default: none, and then `always` is no answer. */
  readonly always?: AlwaysRules;
  /** Default: no rule needs a code. */
  readonly codes?: CodeCheck;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: `presentSubject`. */
  readonly present?: (subject: ApprovalSubject) => Presentation;
}

/** Writes what a person wants to allow for ever into their policy. */
export interface AlwaysRules {
  /**
   * What would be added where; undefined where no rule can say it. Not asked where a hundred questions wait already.
   * Must not throw.
   */
  propose(subject: ApprovalSubject): PendingApproval['always'];
  /** Writes what was shown, or throws a one-line error. */
  write(subject: ApprovalSubject, shown: NonNullable<PendingApproval['always']>): void;
}

/** Codes that a person reads off another device. */
export interface CodeCheck {
  /** Whether answers to what this rule asks need one. */
  covers(rule: string): boolean;
  /** Uses the code up where it is right. Must not throw. */
  check(code: string): CodeVerdict;
}

export type CodeVerdict =
  | { readonly kind: 'right' | 'wrong' }
  /** No code is good, and why, in one line. */
  | { readonly kind: 'refused'; readonly message: string };

/** What the journal is given, as `src/audit/events.ts` has it. */
export type ApprovalEvent = RequestedEvent | ResolvedEvent;

interface RequestedEvent {
  readonly type: 'approval.requested';
  readonly session: string;
  readonly workspace: string;
  readonly hash: string;
  readonly request: PolicyRequest;
  readonly verdict: Pick<Verdict, 'decision' | 'code' | 'rule' | 'layer' | 'file' | 'line' | 'message' | 'remedy'>;
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

/** Time, as the queue uses it. Tests hand in one that stands still. */
export interface Clock {
  /** Milliseconds since the epoch: shown and journalled. */
  now(): number;
  /** Milliseconds that never jump: a person who sets the clock neither ends nor prolongs a pause. */
  elapsed(): number;
  /** Calls once, after so many milliseconds. Gives the way to call it off. */
  after(milliseconds: number, act: () => void): () => void;
}

/** The machine's. */
export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

type Requested = Extract<ApprovalEvent, { readonly type: 'approval.requested' }>;

/** Of a verdict what the journal keeps. */
export function journalledVerdict({
  decision,
  code,
  rule,
  layer,
  file,
  line,
  message,
  remedy,
}: ApprovalSubject['verdict']): Requested['verdict'] {
  return { decision, code, rule, layer, file, line, message, remedy };
}

/**
 * Arguments of a tool may hold what someone's files and letters say: the journal can tell two calls apart and no more.
 */
export function journalledRequest<Request extends PolicyRequest>(request: Request): Request {
  return request.kind === 'tool'
    ? { ...request, arguments: `sha256:${createHash('sha256').update(request.arguments).digest('hex')}` }
    : request;
}
