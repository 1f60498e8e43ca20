import type { TransactionStatus } from '../protocol/types.ts';

/** Messages that the server still has to answer, in the order in which they were sent. */
export type Awaited =
  /** Ended by a `ReadyForQuery`. */
  | { readonly kind: 'query' | 'function'; readonly text: string }
  | { readonly kind: 'parse' | 'bind' | 'execute'; readonly text: string }
  | { readonly kind: 'describe' | 'close' | 'sync' }
  /** The end of data that the client copies in. The server does not answer it. */
  | { readonly kind: 'copy-end' }
  /** Never sent to the server. The client gets the error in its turn. */
  | { readonly kind: 'refused'; readonly ending: 'ready' | 'sync'; readonly error: Buffer }
  /** Messages of the broker. The client never sees their answers. */
  | { readonly kind: 'ours' };

/** Kinds of message whose answer ends with `ReadyForQuery`. */
type Ready = Extract<Awaited['kind'], 'query' | 'function' | 'sync'>;
const endedByReady: ReadonlySet<Awaited['kind']> = new Set<Ready>(['query', 'function', 'sync']);

export interface LedgerOptions {
  /** Records the end of a statement. */
  ended(text: string, outcome: string): void;
  /** Called when it is a refused message's turn to be answered. */
  refused(entry: Extract<Awaited, { kind: 'refused' }>, status: TransactionStatus): void;
}

/** Most outcomes of one simple query that are recorded. */
const mostOutcomes = 8;

/** Matches answers to messages, however many are unanswered. */
export class StatementLedger {
  readonly #options: LedgerOptions;
  /** A queue with a moving head, because a pipeline may be long. */
  #queue: (Awaited | undefined)[] = [];
  #first = 0;
  #status: TransactionStatus = 'I';
  #outcomes: string[] = [];
  #copying = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  get status(): TransactionStatus {
    return this.#status;
  }

  get isEmpty(): boolean {
    return this.#first === this.#queue.length;
  }

  get length(): number {
    return this.#queue.length - this.#first;
  }

  get head(): Awaited | undefined {
    return this.#queue[this.#first];
  }

  add(entry: Awaited): void {
    if (entry.kind === 'copy-end') this.#copying = false;
    // The server ignores a `Sync` while it takes data.
    if (entry.kind === 'sync' && this.#copying) return;
    this.#queue.push(entry);
    this.#settle();
  }

  /** The first message in the queue has been answered, with the server's own tag. */
  answered(outcome?: string): void {
    const entry = this.head;
    if (entry === undefined || endedByReady.has(entry.kind)) return;
    if (outcome !== undefined && 'text' in entry) this.#options.ended(entry.text, outcome);
    this.#shift();
    this.#settle();
  }

  /** One of the statements of a simple query is done. */
  noted(outcome: string): void {
    if (this.#outcomes.length < mostOutcomes) this.#outcomes.push(outcome);
  }

  /** After an error the server skips everything up to the next `Sync`, except simple queries. */
  failed(outcome: string): void {
    this.#copying = false;
    const entry = this.head;
    if (entry === undefined || entry.kind === 'sync') return;
    if (entry.kind === 'query' || entry.kind === 'function') return void this.#outcomes.push(outcome);
    if ('text' in entry) this.#options.ended(entry.text, outcome);
    this.#skipTo((next) => next.kind === 'sync');
  }

  ready(status: TransactionStatus): void {
    this.#status = status;
    this.#skipTo((next) => endedByReady.has(next.kind));
    const entry = this.head;
    if (entry !== undefined && 'text' in entry)
      this.#options.ended(entry.text, this.#outcomes.length === 0 ? 'EMPTY QUERY' : this.#outcomes.join(', '));
    this.#outcomes = [];
    this.#copying = false;
    if (entry !== undefined) this.#shift();
    this.#settle();
  }

  /** The server takes data for COPY from the client, and ignores every `Sync` until the data ends. */
  copiesIn(): void {
    if (this.head?.kind !== 'execute') return;
    const sent = this.#queue.slice(this.#first);
    const end = sent.findIndex((entry) => entry?.kind === 'copy-end');
    this.#copying = end < 0;
    this.#queue = sent.filter((entry, index) => entry?.kind !== 'sync' || (end >= 0 && index > end));
    this.#first = 0;
  }

  /** Records unanswered messages when the connection is gone. */
  close(): void {
    const left = this.#queue.slice(this.#first);
    this.#queue = [];
    this.#first = 0;
    for (const entry of left)
      if (entry?.kind === 'query' || entry?.kind === 'execute') this.#options.ended(entry.text, 'NO ANSWER');
  }

  #shift(): void {
    this.#queue[this.#first] = undefined;
    this.#first += 1;
    const isSparse = this.#first > 1024 && this.#first * 2 > this.#queue.length;
    if (!isSparse && !this.isEmpty) return;
    this.#queue = this.#queue.slice(this.#first);
    this.#first = 0;
  }

  /** Settles entries that need no answer from the server. */
  #settle(): void {
    for (let entry = this.head; entry?.kind === 'refused' || entry?.kind === 'copy-end'; entry = this.head) {
      this.#shift();
      if (entry.kind === 'refused') this.#options.refused(entry, this.#status);
    }
  }

  #skipTo(isEnd: (entry: Awaited) => boolean): void {
    for (let entry = this.head; entry !== undefined && !isEnd(entry); entry = this.head) this.#shift();
  }
}

/** Decision about a message that may run something: it passes, passes after the assertion, or waits. */
type Turn = 'go' | 'assert' | 'wait';

/**
 * Tracks where transactions begin and end, however many messages are unanswered. A turn is everything that the client
 * sends up to a `Sync` or a simple query.
 */
export interface Turns {
  /** Called before a message that may run something. */
  next(): Turn;
  /** Records that a portal runs. */
  runs(transactions: 'kept' | 'changed'): void;
  /** Records that a `Sync` or a simple query passes. */
  ends(transactions: 'kept' | 'changed'): void;
}

interface TurnsOptions {
  readonly ledger: Pick<StatementLedger, 'status' | 'isEmpty'>;
  /** Whether each transaction has to be made read-only. */
  readonly mode: 'read-write' | 'read-only';
  /** True while nothing new may begin, because a pending cancel request would hit it. */
  readonly isPaused: () => boolean;
}

export function createTurns({ ledger, mode, isPaused }: TurnsOptions): Turns {
  let isOpen = false;
  /** A transaction may have ended within this turn, so the next message may begin another one. */
  let mayBegin = false;
  let changes = false;
  /** Unanswered turns change transactions, so the state of the next turn is unknown until they are answered. */
  let isUnsure = false;

  return {
    next() {
      if (isOpen && !mayBegin) return 'go';
      const waits = !isOpen && (isPaused() || (isUnsure && !ledger.isEmpty));
      if (waits) return 'wait';
      const begins = mode === 'read-only' && (isOpen || ledger.status === 'I');
      isUnsure &&= isOpen;
      isOpen = true;
      mayBegin = false;
      return begins ? 'assert' : 'go';
    },
    runs(transactions) {
      if (transactions === 'kept' || mode === 'read-write') return;
      mayBegin = true;
      changes = true;
    },
    ends(transactions) {
      isUnsure ||= mode === 'read-only' && (changes || transactions === 'changed');
      changes = false;
      mayBegin = false;
      isOpen = false;
    },
  };
}
