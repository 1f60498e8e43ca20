import type { PendingApproval } from '../../approvals/types.ts';
import type { Feed } from '../feed/feed.ts';
import type { ApprovalsClient, ConnectApprovals, StreamMessage } from '../wire.ts';

export type LiveTopic = StreamMessage['kind'];

/**
 * Changes for open pages. Without a page it does not watch the approvals: nobody could answer, and sessions that ask
 * must not wait for an absent person.
 */
export class Live {
  readonly feed: Feed;
  readonly #open: ConnectApprovals;
  readonly #pages = new Map<object, (channel: LiveTopic) => void>();
  #approvals: ApprovalsClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  #again: NodeJS.Immediate | undefined;
  #left = Date.now();
  #news = false;
  #toldAt = 0;

  constructor(feed: Feed, open: ConnectApprovals) {
    this.feed = feed;
    this.#open = open;
  }

  /** Milliseconds since the last page disconnected. 0 while there is one. */
  get idleFor(): number {
    return this.#pages.size > 0 ? 0 : Date.now() - this.#left;
  }

  get pages(): number {
    return this.#pages.size;
  }

  pending(): readonly PendingApproval[] {
    return this.#approvals?.pending() ?? [];
  }

  get approvals(): ApprovalsClient | undefined {
    return this.#approvals;
  }

  /** Notifies a page of changes, until the returned function is called. */
  attach(changed: (channel: LiveTopic) => void): () => void {
    const page = {};
    this.#approvals ??= this.#open(() => this.#tell('approvals'));
    this.#pages.set(page, changed);
    this.#timer ??= setInterval(() => this.look(), lookEvery);
    this.look();
    return () => this.#detach(page);
  }

  /** Reads the journal now, and continues to its end. Pages get regular progress. */
  look(): void {
    const { news, rest } = this.feed.refresh();
    this.#news ||= news;
    if (rest === 'more') {
      this.#again ??= setImmediate(() => {
        this.#again = undefined;
        this.look();
      });
    }
    if (!this.#news || (rest === 'more' && performance.now() < this.#toldAt + tellEvery)) return;
    this.#news = false;
    this.#toldAt = performance.now();
    for (const channel of ['events', 'summary'] as const) this.#tell(channel);
  }

  close(): void {
    clearImmediate(this.#again);
    for (const page of this.#pages.keys()) this.#detach(page);
  }

  #detach(page: object): void {
    if (!this.#pages.delete(page) || this.#pages.size > 0) return;
    this.#left = Date.now();
    this.#approvals?.close();
    this.#approvals = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tell(channel: LiveTopic): void {
    for (const changed of this.#pages.values()) changed(channel);
  }
}

const lookEvery = 250;
/** Milliseconds between progress messages, while a long journal is read. */
const tellEvery = 300;
