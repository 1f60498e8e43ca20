import { listenToJournal, type JournalEvent } from '../audit/index.ts';
import { HoldfastError } from '../errors/index.ts';

export interface EventsOptions {
  /** Ends the loop when aborted. */
  readonly signal?: AbortSignal;
  /** Events that wait for the reader. If there are more, the oldest are dropped and counted. Default: 1024. */
  readonly queue?: number;
}

export interface SandboxEvent {
  readonly event: JournalEvent;
  /** Number of events lost before this one, because the reader was too slow. */
  readonly missing: number;
}

interface Ground {
  readonly id: string;
  readonly journal: string;
  /** Aborts when the sandbox has closed. */
  readonly closed: AbortSignal;
}

const defaultQueue = 1024;

/**
 * Yields the journal events of a session from the moment of the call: starts, ends, decisions, approvals. Listens at
 * once, not only from the first `next`.
 */
export function sessionEvents(
  ground: Ground,
  { signal, queue: most = defaultQueue }: EventsOptions,
): AsyncGenerator<SandboxEvent, void> {
  if (!(most >= 1))
    throw new HoldfastError('HF_USAGE', `a queue cannot hold ${most} events`, {
      remedy: 'use a number of events, 1 or more',
    });
  const feed = new Feed(most);
  const stops = signal === undefined ? [ground.closed] : [ground.closed, signal];
  const stop = (): void => {
    leave();
    feed.end();
  };
  const unsubscribe = listenToJournal(ground.journal, (events) => {
    for (const event of events) if ('session' in event && event.session === ground.id) feed.push(event);
  });
  const leave = (): void => {
    unsubscribe();
    for (const each of stops) each.removeEventListener('abort', stop);
  };
  for (const each of stops) each.addEventListener('abort', stop);
  if (stops.some(({ aborted }) => aborted)) stop();
  return read(feed, leave);
}

async function* read(feed: Feed, leave: () => void): AsyncGenerator<SandboxEvent, void> {
  try {
    for (let next = await feed.take(); next !== undefined; next = await feed.take()) yield next;
  } finally {
    leave();
  }
}

class Feed {
  readonly #most: number;
  readonly #events: JournalEvent[] = [];
  #missing = 0;
  #state: 'open' | 'ended' = 'open';
  #wake: () => void = () => undefined;

  constructor(most: number) {
    this.#most = most;
  }

  push(event: JournalEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.#most) {
      this.#events.shift();
      this.#missing += 1;
    }
    this.#wake();
  }

  end(): void {
    this.#state = 'ended';
    this.#wake();
  }

  async take(): Promise<SandboxEvent | undefined> {
    while (this.#events.length === 0 && this.#state === 'open')
      await new Promise<void>((resolve) => (this.#wake = resolve));
    const event = this.#events.shift();
    const missing = this.#missing;
    this.#missing = 0;
    return event === undefined ? undefined : { event, missing };
  }
}
