import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../queue/options.ts';
import {
  type AnswerResult,
  type ApprovalDecision,
  type ApprovalQueue,
  approvalDecisions,
  type PendingApproval,
} from '../types.ts';
import { postWebhook, type Post, type Posted } from './post.ts';

export interface WebhookOptions {
  readonly url: string;
  /** Reads the secret on first use. Rejects with a one-line error, which is reported. Other channels continue. */
  readonly secret: () => Promise<string>;
  readonly clock: Clock;
  /** Receives each problem once, as one line. It quotes neither the secret, nor an answer, nor the URL's path. */
  readonly tell: (message: string) => void;
  /** PEM. Default: Node's own authorities. */
  readonly authorities?: readonly string[];
  /** Default: the network. */
  readonly send?: (message: Post) => Promise<Posted>;
}

/** Concurrent requests. Further questions of a flood are not passed on. */
export const mostRequests = 16;
/** Milliseconds for one request. A service may hold it until someone answers. */
const patience = 40_000;
/** Milliseconds before a service that gave no answer is asked again. */
const pause = 2000;
/** Milliseconds: the longest pause after failures. Each failure doubles the pause. */
const longestPause = 30_000;
/** Bytes. A shorter secret can be guessed. RFC 2104 §3 advises against keys shorter than the hash. */
const shortestSecret = 16;

/**
 * Posts each question to a service, repeatedly until it is answered or has expired. The service answers in the
 * response, so this machine need not be reachable. The returned function ends the channel.
 */
export function webhookChannel(
  queue: Pick<ApprovalQueue, 'subscribe' | 'answer' | 'pending'>,
  options: WebhookOptions,
): () => void {
  const channel = new WebhookChannel(queue, options);
  const unsubscribe = queue.subscribe(({ kind, approval }) =>
    kind === 'asked' ? channel.asked(approval) : channel.resolved(approval),
  );
  for (const approval of queue.pending()) channel.asked(approval);
  return () => {
    unsubscribe();
    channel.close();
  };
}

interface Question {
  readonly approval: PendingApproval;
  readonly nonce: string;
  readonly ended: AbortController;
  attempt: number;
  failures: number;
  /** The last answer. The same answer again, such as one with a wrong code, is not tried twice. */
  answered: string;
  /** The result of the last answer. */
  last: Exclude<AnswerResult['kind'], 'taken'> | 'none';
  cancel: () => void;
}

class WebhookChannel {
  readonly #queue: Pick<ApprovalQueue, 'answer'>;
  readonly #options: WebhookOptions;
  /** Questions by hash. */
  readonly #questions = new Map<string, Question>();
  /** Questions that are due, in order. */
  readonly #turn = new Set<Question>();
  readonly #told = new Set<string>();
  #requests = 0;

  constructor(queue: Pick<ApprovalQueue, 'answer'>, options: WebhookOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  asked(approval: PendingApproval): void {
    const question: Question = {
      approval,
      nonce: randomBytes(16).toString('hex'),
      ended: new AbortController(),
      attempt: 0,
      failures: 0,
      answered: '',
      last: 'none',
      cancel: () => undefined,
    };
    this.#questions.set(approval.hash, question);
    this.#next(question);
  }

  resolved({ hash }: PendingApproval): void {
    const question = this.#questions.get(hash);
    if (question === undefined) return;
    this.#questions.delete(hash);
    this.#turn.delete(question);
    question.cancel();
    question.ended.abort();
  }

  close(): void {
    for (const { approval } of this.#questions.values()) this.resolved(approval);
  }

  #next(question: Question): void {
    this.#turn.add(question);
    for (const waiting of this.#turn) {
      if (this.#requests >= mostRequests) return;
      this.#turn.delete(waiting);
      this.#requests += 1;
      void this.#attempt(waiting);
    }
  }

  /** Never rejects. */
  async #attempt(question: Question): Promise<void> {
    const delay = await this.#exchange(question).catch((error: unknown) =>
      this.#failed(question, error instanceof Error ? error.message : 'it failed'),
    );
    this.#requests -= 1;
    if (!question.ended.signal.aborted) question.cancel = this.#options.clock.after(delay, () => this.#next(question));
    const [waiting] = this.#turn;
    if (waiting !== undefined) this.#next(waiting);
  }

  /** Returns the milliseconds until the next attempt. */
  async #exchange(question: Question): Promise<number> {
    const { url, secret: read, clock, send = postWebhook, authorities } = this.#options;
    const secret = await read();
    if (Buffer.byteLength(secret) < shortestSecret)
      return this.#failed(question, `its secret has fewer than ${shortestSecret} bytes`);
    if (question.ended.signal.aborted) return 0;
    question.attempt += 1;
    const { approval, nonce, attempt, last } = question;
    const body = JSON.stringify({
      version: 1,
      kind: 'question',
      nonce,
      attempt,
      ...(last === 'none' ? {} : { last }),
      approval,
    });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'holdfast',
      prefer: 'wait=30',
      'holdfast-signature': signatureHeader(secret, 'question', { timestamp: Math.floor(clock.now() / 1000), body }),
    };
    const posted = await send({
      url,
      headers,
      body,
      timeout: patience,
      signal: question.ended.signal,
      ...(authorities === undefined ? {} : { authorities }),
    });
    return question.ended.signal.aborted ? 0 : this.#judge(question, posted, secret);
  }

  #judge(question: Question, posted: Posted, secret: string): number {
    if (posted.kind === 'failed') return this.#failed(question, posted.why);
    if (posted.status === 202 || posted.status === 204) {
      question.failures = 0;
      return pause;
    }
    if (posted.status !== 200) return this.#failed(question, `it answered with the status ${posted.status}`);
    if (posted.signature !== '' && posted.signature === question.answered) return pause;
    const { hash } = question.approval;
    const read = readAnswer(posted, { secret, hash, nonce: question.nonce, now: this.#options.clock.now() });
    if (read.kind === 'refused') return this.#failed(question, `its answer does not count: ${read.why}`);
    question.answered = posted.signature;
    const result = this.#queue.answer({ ...read.answer, hash, channel: 'webhook' });
    if (result.kind !== 'taken') question.last = result.kind;
    return pause;
  }

  #failed(question: Question, why: string): number {
    question.failures += 1;
    const message = `the webhook at ${new URL(this.#options.url).host} does not work: ${why}`;
    if (!this.#told.has(message) && !question.ended.signal.aborted) this.#options.tell(message);
    this.#told.add(message);
    return Math.min(longestPause, pause * 2 ** (question.failures - 1));
  }
}

/** The values that an answer must name. */
interface Expected {
  readonly secret: string;
  readonly hash: string;
  /** Nonce of this question. No other question of any session has it. */
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface WebhookAnswer {
  readonly decision: ApprovalDecision;
  readonly code?: string;
}

/** Seconds that the service's clock may be off. */
const tolerance = 300;

/** The reason why an answer is invalid never quotes the answer. */
type ReadAnswer =
  | { readonly kind: 'answer'; readonly answer: WebhookAnswer }
  | { readonly kind: 'refused'; readonly why: string };

const answerSchema = v.strictObject({
  version: v.literal(1),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u)),
  nonce: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/u)),
  decision: v.picklist(approvalDecisions),
  expires: v.pipe(v.number(), v.integer()),
  code: v.optional(v.pipe(v.string(), v.maxLength(16))),
});

/** Reads the body of a response. Its bytes are hostile until the signature is verified. */
export function readAnswer(
  { signature, body }: { readonly signature: string; readonly body: string },
  { secret, hash, nonce, now }: Expected,
): ReadAnswer {
  const signed = signedAt(secret, 'answer', { header: signature, body });
  if (signed === undefined) return refused('it is not signed with the secret');
  if (Math.abs(now / 1000 - signed) > tolerance) return refused('it was signed at another time');
  const parsed = v.safeParse(answerSchema, parse(body));
  if (!parsed.success) return refused('it does not have the form of an answer');
  const { decision, code, ...rest } = parsed.output;
  if (rest.hash !== hash || rest.nonce !== nonce) return refused('it answers another question');
  if (rest.expires * 1000 <= now) return refused('it has expired');
  return { kind: 'answer', answer: { decision, ...(code === undefined ? {} : { code }) } };
}

function refused(why: string): ReadAnswer {
  return { kind: 'refused', why };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Purpose of a message, signed along with it. So no service can be tricked into returning our own question as its
 * answer.
 */
type Purpose = 'question' | 'answer';

/** Returns the value of `Holdfast-Signature`. */
export function signatureHeader(
  secret: string,
  purpose: Purpose,
  message: { readonly timestamp: number; readonly body: string },
): string {
  return `t=${message.timestamp},v1=${signature(secret, purpose, message)}`;
}

/**
 * Returns the signing time in seconds since the epoch. Undefined unless a holder of the secret signed the message for
 * this purpose.
 */
export function signedAt(
  secret: string,
  purpose: Purpose,
  { header, body }: { readonly header: string; readonly body: string },
): number | undefined {
  const [, time = '', given = ''] = /^t=(0|[1-9]\d{0,11}),v1=([0-9a-f]{64})$/u.exec(header) ?? [];
  if (given === '') return undefined;
  const timestamp = Number(time);
  const right = signature(secret, purpose, { timestamp, body });
  return timingSafeEqual(Buffer.from(given), Buffer.from(right)) ? timestamp : undefined;
}

/**
 * HMAC-SHA256 (RFC 2104) over `holdfast-PURPOSE-v1.TIMESTAMP.BODY`, in lower-case hexadecimal. The timestamp is in
 * seconds since the epoch.
 */
function signature(
  secret: string,
  purpose: Purpose,
  { timestamp, body }: { readonly timestamp: number; readonly body: string },
): string {
  return createHmac('sha256', secret).update(`holdfast-${purpose}-v1.${timestamp}.${body}`).digest('hex');
}
