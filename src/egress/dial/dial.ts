import type { OnReadOpts } from 'node:net';
import type { Destination, Dialled, Refused, Vetted } from '../types.ts';
import { attempt, type Attempt, type AttemptOutcome } from './attempt.ts';
import { type Failure, givenUp, tooSlow, unreachable } from './failures.ts';
import { inOrder } from './order.ts';

export interface DialOptions {
  /** Milliseconds for all addresses together; default 10,000. */
  readonly timeout?: number;
  /** Milliseconds that one address may take before the next is tried as well; default 250 (RFC 8305 §5). */
  readonly headStart?: number;
  /** Gives up when the client has gone. */
  readonly signal?: AbortSignal | undefined;
  /** As in `net.connect`: a large buffer that is used again doubles the throughput. */
  readonly onread?: OnReadOpts | undefined;
}

/**
 * Connects to the first of the vetted addresses that answers, and to nothing else. The socket comes paused, with
 * TCP_NODELAY, keep-alive and `allowHalfOpen`; its errors are caught. Refusals: `unreachable`, `upstream-timeout`.
 */
export function dial(vetted: Vetted, options: DialOptions = {}): Promise<Dialled | Refused> {
  return new Promise((resolve) => new Race(vetted, options, resolve).start());
}

/** Attempts that run at the same time, until one has connected or nothing more can come. Plain callbacks: promises that race for each connection cost more than connecting. */
class Race {
  readonly #destination: Destination;
  readonly #options: DialOptions;
  readonly #resolve: (outcome: Dialled | Refused) => void;
  readonly #waiting: string[];
  readonly #running = new Set<Attempt>();
  readonly #failures: Failure[] = [];
  #state: 'open' | 'over' = 'open';
  #late: NodeJS.Timeout | undefined;
  #headStart: NodeJS.Timeout | undefined;

  constructor({ destination, addresses }: Vetted, options: DialOptions, resolve: (outcome: Dialled | Refused) => void) {
    this.#destination = destination;
    this.#options = options;
    this.#resolve = resolve;
    this.#waiting = [...inOrder(addresses)];
  }

  start(): void {
    const { signal, timeout = 10_000 } = this.#options;
    if (signal?.aborted === true) return this.#leave();
    signal?.addEventListener('abort', this.#leave);
    this.#late = setTimeout(() => this.#settle(tooSlow(this.#destination, timeout)), timeout);
    this.#next();
  }

  readonly #leave = (): void => this.#settle(givenUp(this.#destination));

  /** Starts one more attempt, if there is an address left. */
  #next(): void {
    clearTimeout(this.#headStart);
    const { onread, headStart = 250 } = this.#options;
    const address = this.#waiting.shift();
    if (address === undefined) return this.#running.size === 0 ? this.#settle(unreachable(this.#destination, this.#failures)) : undefined;
    if (this.#waiting.length > 0) this.#headStart = setTimeout(() => this.#next(), headStart);
    const started = attempt(address, { port: this.#destination.port, onread, onOutcome: (outcome) => this.#hear(started, outcome) });
    this.#running.add(started);
  }

  #hear(started: Attempt, outcome: AttemptOutcome): void {
    if (this.#state === 'over' || !this.#running.delete(started)) return;
    if (outcome.kind === 'connected') return this.#settle({ kind: 'dialled', socket: outcome.socket, address: outcome.address });
    this.#failures.push(outcome);
    this.#next();
  }

  #settle(outcome: Dialled | Refused): void {
    this.#state = 'over';
    clearTimeout(this.#late);
    clearTimeout(this.#headStart);
    this.#options.signal?.removeEventListener('abort', this.#leave);
    for (const { cancel } of this.#running) cancel();
    this.#resolve(outcome);
  }
}
