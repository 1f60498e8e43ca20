import { escapeHidden } from '../../text/escape-hidden.ts';
import { type Presentation, presentSubject } from '../present/present-subject.ts';
import {
  type AnswerResult,
  type ApprovalAnswer,
  type ApprovalQueue,
  approvalDecisions,
  type ApprovalOutcome,
  type PendingApproval,
  type QueueChange,
  type ApprovalSubject,
} from '../types.ts';
import { BackOff, denied, type DeniedOutcome, errorReason, repeated, seconds, type BackOffState } from './back-off.ts';
import { type ApprovalQueueOptions, type Clock, refusedCode, systemClock } from './options.ts';
import {
  countWaiters,
  Identifiers,
  pendingApproval,
  type QueueEntry,
  QueueListeners,
  ruleKey,
  type Waiter,
} from './pending-approval.ts';
import { QueueJournal } from './queue-journal.ts';
import { requestHash } from './request-hash.ts';

/** Callers that can wait at once, over all questions. Further callers are denied. */
export const mostWaiting = 10_000;
/** Characters of all waiting questions. More would fill the supervisor's memory, so further callers are denied. */
export const mostCharacters = 16 * 1024 * 1024;
/** Milliseconds. */
const defaultTimeout = 60_000;
/** Questions under one rule that may be withdrawn along with their callers. */
const mostWithdrawals = 100;
/** Hashes of unheard questions that are kept. */
const mostUnheard = 10_000;

/**
 * Creates the queue of one session. All dependencies are passed in. `ask`, `answer` and the expiry of one question take
 * constant time, however many wait.
 */
export function createApprovalQueue(options: ApprovalQueueOptions): ApprovalQueue {
  return new Queue(options);
}

class Queue implements ApprovalQueue {
  readonly #options: ApprovalQueueOptions;
  readonly #clock: Clock;
  readonly #present: (subject: ApprovalSubject) => Presentation;
  readonly #backOff: BackOff;
  readonly #identifiers = new Identifiers();
  /** By hash, oldest first. */
  readonly #entries = new Map<string, QueueEntry>();
  /** Hashes allowed for the session, and who allowed them. */
  readonly #allowed = new Map<string, ApprovalOutcome>();
  /** Hashes of questions denied because nobody was there. */
  readonly #unheard = new Set<string>();
  /** Withdrawn questions by rule. */
  readonly #withdrawals = new Map<string, number>();
  readonly #listeners = new QueueListeners();
  readonly #journal: QueueJournal;
  #waiting = 0;
  #characters = 0;
  #state: 'open' | 'closed' = 'open';

  constructor(options: ApprovalQueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#present = options.present ?? presentSubject;
    this.#backOff = new BackOff(() => this.#clock.elapsed());
    this.#journal = new QueueJournal(options, this.#clock);
  }

  async ask(subject: ApprovalSubject): Promise<ApprovalOutcome> {
    try {
      return await this.#ask(subject);
    } catch (error) {
      return denied('failure', `it could not be asked (${escapeHidden(errorReason(error))}), so it was denied`);
    }
  }

  pending(): readonly PendingApproval[] {
    return Array.from(this.#entries.values(), ({ approval }) => approval);
  }

  answer(answer: ApprovalAnswer): AnswerResult {
    const entry = this.#entries.get(answer.hash);
    if (entry === undefined) return { kind: 'unknown' };
    if (answer.decision === 'deny') return this.#deny(entry, answer);
    // A caller without types could pass "yes".
    if (!approvalDecisions.includes(answer.decision))
      return { kind: 'refused', message: `an answer is one of ${approvalDecisions.join(', ')}` };
    const { always, confirmation } = entry.approval;
    if (answer.decision === 'always' && always === undefined)
      return { kind: 'refused', message: 'no rule of the user policy can express this: answer "once" or "session"' };
    if (confirmation === 'totp') {
      const checked = refusedCode(this.#options.codes, answer.code);
      if (checked !== undefined) return checked;
    }
    return this.#allow(entry, { decision: answer.decision, channel: answer.channel });
  }

  subscribe(listener: (change: QueueChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  close(): void {
    this.#state = 'closed';
    for (const entry of this.#entries.values()) this.#end(entry, closed);
  }

  #ask(subject: ApprovalSubject): Promise<ApprovalOutcome> | ApprovalOutcome {
    const hash = requestHash(this.#options.session, subject);
    if (this.#state === 'closed') return this.#refuse(hash, closed);
    if (subject.signal?.aborted === true) return withdrawn;
    const known = this.#allowed.get(hash);
    if (known !== undefined) return known;
    const entry = this.#entries.get(hash);
    const rule = ruleKey(subject);
    // A caller that joins an existing question does not ask anyone again.
    const standing: BackOffState = entry === undefined ? this.#backOff.standing(hash, rule) : { kind: 'free' };
    if (standing.kind !== 'free') return this.#refuse(hash, repeated(standing));
    if (this.#waiting >= mostWaiting) return this.#refuse(hash, full);
    if (entry === undefined && this.#characters >= mostCharacters) return this.#refuse(hash, tooMuch);
    if (entry === undefined)
      return this.#unheard.has(hash) ? this.#askAgain(subject, hash) : this.#question(subject, hash, rule);
    return this.#wait(entry, subject.signal);
  }

  /**
   * Attack: the same question twenty thousand times, each journalled twice. While nobody is there, repeats are denied
   * at once.
   */
  async #askAgain(subject: ApprovalSubject, hash: string): Promise<ApprovalOutcome> {
    if ((await this.#audience()) === 'nobody') return this.#refuse(hash, nobody);
    this.#unheard.delete(hash);
    return this.#ask(subject);
  }

  #question(subject: ApprovalSubject, hash: string, rule: string): Promise<ApprovalOutcome> | ApprovalOutcome {
    const shown = this.#present(subject);
    if (shown.kind === 'hidden') return this.#refuse(hash, denied('hidden', shown.message));
    this.#journal.requested(hash, subject, shown.title);
    const askedAt = this.#clock.now();
    const facts = {
      id: this.#identifiers.take(hash),
      hash,
      shown,
      askedAt,
      expiresAt: askedAt + this.#timeout,
      before: this.#entries.size,
    };
    const size = shown.lines.reduce((sum, line) => sum + line.length, 0);
    const entry: QueueEntry = {
      subject,
      rule,
      approval: pendingApproval(subject, facts, this.#options),
      waiters: new Set(),
      since: this.#clock.elapsed(),
      size,
      cancel: () => undefined,
    };
    this.#entries.set(hash, entry);
    this.#characters += size;
    const outcome = this.#wait(entry, subject.signal);
    entry.cancel = this.#clock.after(this.#timeout, () => this.#expire(entry));
    this.#listeners.tell({ kind: 'asked', approval: entry.approval });
    void this.#seekAudience(entry);
    return outcome;
  }

  #expire(entry: QueueEntry): void {
    this.#backOff.unanswered(entry.rule, entry.since);
    this.#end(entry, denied('time-out', `nobody answered within ${seconds(this.#timeout)}, so it was denied`));
  }

  get #timeout(): number {
    return this.#options.timeout ?? defaultTimeout;
  }

  #wait(entry: QueueEntry, signal: AbortSignal | undefined): Promise<ApprovalOutcome> {
    this.#waiting += 1;
    return new Promise((resolve) => {
      const leave = (): void => this.#withdraw(entry, waiter);
      const waiter: Waiter = (outcome) => {
        signal?.removeEventListener('abort', leave);
        resolve(outcome);
      };
      entry.waiters.add(waiter);
      countWaiters(entry);
      signal?.addEventListener('abort', leave);
    });
  }

  /**
   * Removes one caller that has left. With the last caller, the question is removed too, because nobody would use the
   * answer.
   */
  #withdraw(entry: QueueEntry, waiter: Waiter): void {
    const before = this.#withdrawals.get(entry.rule) ?? 0;
    if (entry.waiters.size === 1) {
      this.#withdrawals.set(entry.rule, before + 1);
      // Attack: questions that come and go faster than a person reads. They stay until they expire.
      return before < mostWithdrawals ? this.#end(entry, withdrawn) : undefined;
    }
    entry.waiters.delete(waiter);
    this.#waiting -= 1;
    countWaiters(entry);
    waiter(withdrawn);
  }

  /** The question is already in `pending`, so a client that connects now sees it. */
  async #seekAudience(entry: QueueEntry): Promise<void> {
    const who = await this.#audience();
    if (who === 'someone') return;
    if (this.#unheard.size < mostUnheard) this.#unheard.add(entry.approval.hash);
    this.#end(entry, nobody);
  }

  async #audience(): Promise<'someone' | 'nobody'> {
    try {
      return (await this.#options.audience?.()) ?? 'someone';
    } catch {
      return 'nobody';
    }
  }

  #deny(entry: QueueEntry, { hash, channel }: ApprovalAnswer): AnswerResult {
    this.#backOff.answered(entry.rule);
    // A function of the program does not tire, and may deny all but one of a thousand paths.
    if (channel !== 'library') this.#backOff.denied(hash, entry.rule);
    this.#end(entry, denied('answer', 'it was denied when asked'), channel);
    // The questions under a rule that was just locked out are the flood itself.
    const standing = this.#backOff.standing(hash, entry.rule);
    if (standing.kind === 'locked')
      for (const other of this.#entries.values()) if (other.rule === entry.rule) this.#end(other, repeated(standing));
    return { kind: 'taken' };
  }

  #allow(
    entry: QueueEntry,
    { decision, channel }: Omit<Extract<ApprovalOutcome, { readonly kind: 'allowed' }>, 'kind'>,
  ): AnswerResult {
    const { hash, always, askedAt } = entry.approval;
    const outcome: ApprovalOutcome = { kind: 'allowed', decision, channel };
    try {
      this.#journal.resolved({ hash, askedAt, decision, channel });
      if (decision === 'always' && always !== undefined) this.#options.always?.write(entry.subject, always);
    } catch (error) {
      const message = `the answer "${decision}" could not be kept (${escapeHidden(errorReason(error))}), so it was denied`;
      this.#end(entry, denied('failure', message));
      return { kind: 'refused', message };
    }
    this.#backOff.answered(entry.rule);
    this.#backOff.allowed(hash, entry.rule);
    if (decision !== 'once') this.#allowed.set(hash, { kind: 'allowed', decision: 'session', channel });
    this.#settle(entry, outcome);
    return { kind: 'taken' };
  }

  /** Ends a question with a denial. The denial stands even if the journal cannot take it. */
  #end(entry: QueueEntry, outcome: DeniedOutcome, channel?: ApprovalAnswer['channel']): void {
    const { hash, askedAt } = entry.approval;
    if (this.#entries.get(hash) !== entry) return;
    try {
      const by = channel === undefined ? {} : { channel };
      this.#journal.resolved({ hash, askedAt, decision: 'deny', because: outcome.because, ...by });
      this.#settle(entry, outcome);
    } catch (error) {
      const why = `the journal could not take the answer (${escapeHidden(errorReason(error))}), so it was denied`;
      this.#settle(entry, denied('failure', why));
    }
  }

  #settle(entry: QueueEntry, outcome: ApprovalOutcome): void {
    const { approval, waiters } = entry;
    entry.cancel();
    this.#entries.delete(approval.hash);
    this.#identifiers.release(approval.id);
    this.#waiting -= waiters.size;
    this.#characters -= entry.size;
    for (const waiter of waiters) waiter(outcome);
    this.#listeners.tell({ kind: 'resolved', approval, outcome });
  }

  /** Denies without a question. */
  #refuse(hash: string, outcome: DeniedOutcome): DeniedOutcome {
    this.#journal.unasked(hash, outcome);
    return outcome;
  }
}

const closed = denied('closed', 'the session has ended, so it was denied');
const nobody = denied('nobody', 'nobody was there to ask, so it was denied');
const withdrawn = denied('withdrawn', 'the requester is gone, so it was denied');
const tooMuch = denied('full', `the waiting questions already have ${mostCharacters} characters, so it was denied`);
const full = denied('full', `${mostWaiting} requests already wait for an answer, so it was denied`);
