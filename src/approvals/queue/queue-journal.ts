import { createHash } from 'node:crypto';
import type { PolicyRequest } from '../../policy/request.ts';
import { journalledVerdict } from '../../policy/verdict.ts';
import type { ApprovalSubject } from '../types.ts';
import type { DeniedOutcome } from './back-off.ts';
import type { ApprovalEvent, ApprovalQueueOptions, Clock } from './options.ts';

/** Different denials without a question that get an event. The journal has every refusal anyway. */
const mostUnasked = 10_000;

type Resolved = Extract<ApprovalEvent, { readonly type: 'approval.resolved' }>;
type Answered = Pick<Resolved, 'hash' | 'decision' | 'because' | 'channel'> & { readonly askedAt: number };

/** Writes the events of one queue. Passes on the errors of the journal. */
export class QueueJournal {
  readonly #options: Pick<ApprovalQueueOptions, 'session' | 'workspace' | 'journal'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #unasked = new Set<string>();

  constructor(options: Pick<ApprovalQueueOptions, 'session' | 'workspace' | 'journal'>, clock: Pick<Clock, 'now'>) {
    this.#options = options;
    this.#clock = clock;
  }

  requested(hash: string, { request, verdict }: ApprovalSubject, title: string): void {
    this.#options.journal({
      type: 'approval.requested',
      ...this.#place(hash),
      request: journalledRequest(request),
      verdict: journalledVerdict(verdict),
      title,
    });
  }

  resolved({ hash, askedAt, ...answer }: Answered): void {
    const waited = Math.max(0, this.#clock.now() - askedAt);
    this.#options.journal({ type: 'approval.resolved', ...this.#place(hash), ...answer, waited });
  }

  /** A denial without a question. */
  unasked(hash: string, { because }: DeniedOutcome): void {
    const key = `${because} ${hash}`;
    if (this.#unasked.has(key) || this.#unasked.size >= mostUnasked) return;
    this.#unasked.add(key);
    this.#options.journal({ type: 'approval.resolved', ...this.#place(hash), decision: 'deny', because, waited: 0 });
  }

  /** Fields that every event has. */
  #place(hash: string): { readonly session: string; readonly workspace: string; readonly hash: string } {
    const { session, workspace } = this.#options;
    return { session, workspace, hash };
  }
}

/** Arguments of a tool may quote someone's files and letters. The journal can only tell two calls apart. */
export function journalledRequest<Request extends PolicyRequest>(request: Request): Request {
  return request.kind === 'tool'
    ? { ...request, arguments: `sha256:${createHash('sha256').update(request.arguments).digest('hex')}` }
    : request;
}
