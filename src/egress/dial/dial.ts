import { connect, type OnReadOpts, type Socket } from 'node:net';
import { refuse } from '../ssrf/refuse.ts';
import type { Destination, Dialled, Refused, Vetted } from '../types.ts';

export interface DialOptions {
  /** Milliseconds for all addresses together. Default: 10,000. */
  readonly timeout?: number;
  /** Milliseconds for one address before the next is tried too. Default: 250 (RFC 8305 §5). */
  readonly headStart?: number;
  /** Aborts the attempts when the client has gone. */
  readonly signal?: AbortSignal | undefined;
  /** As in `net.connect`. Reusing a large buffer doubles the throughput. */
  readonly onread?: OnReadOpts | undefined;
}

/**
 * Connects to the first vetted address that answers, and to nothing else. The socket is paused. It has TCP_NODELAY,
 * keep-alive and `allowHalfOpen`, and its errors are caught. Refusals: `unreachable`, `upstream-timeout`.
 */
export function dial(vetted: Vetted, options: DialOptions = {}): Promise<Dialled | Refused> {
  return new Promise((resolve) => new Race(vetted, options, resolve).start());
}

/**
 * Concurrent attempts, until one has connected or all have failed. Uses plain callbacks, because racing promises for
 * each connection cost more than connecting.
 */
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
    this.#waiting = [...attemptOrder(addresses)];
  }

  start(): void {
    const { signal, timeout = 10_000 } = this.#options;
    if (signal?.aborted === true) return this.#leave();
    signal?.addEventListener('abort', this.#leave);
    this.#late = setTimeout(() => this.#settle(tooSlow(this.#destination, timeout)), timeout);
    this.#next();
  }

  readonly #leave = (): void => this.#settle(givenUp(this.#destination));

  /** Starts one more attempt, if an address is left. */
  #next(): void {
    clearTimeout(this.#headStart);
    const { onread, headStart = 250 } = this.#options;
    const address = this.#waiting.shift();
    if (address === undefined)
      return this.#running.size === 0 ? this.#settle(unreachable(this.#destination, this.#failures)) : undefined;
    if (this.#waiting.length > 0) this.#headStart = setTimeout(() => this.#next(), headStart);
    const started = attempt(address, {
      port: this.#destination.port,
      onread,
      onOutcome: (outcome) => this.#hear(started, outcome),
    });
    this.#running.add(started);
  }

  #hear(started: Attempt, outcome: AttemptOutcome): void {
    if (this.#state === 'over' || !this.#running.delete(started)) return;
    if (outcome.kind === 'connected')
      return this.#settle({ kind: 'dialled', socket: outcome.socket, address: outcome.address });
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

/**
 * Returns the order of attempts: both families in turn, IPv6 first, each in the order of the resolver (RFC 8305 §4).
 */
export function attemptOrder(addresses: readonly string[]): readonly string[] {
  if (addresses.length < 2) return addresses;
  const v6 = addresses.filter((address) => address.includes(':'));
  const v4 = addresses.filter((address) => !address.includes(':'));
  return Array.from({ length: Math.max(v6.length, v4.length) }, (_, index) => [v6[index], v4[index]])
    .flat()
    .filter((address) => address !== undefined);
}

interface Attempt {
  /** Ends the attempt, connected or not. */
  cancel(): void;
}

type AttemptOutcome =
  | { readonly kind: 'connected'; readonly socket: Socket; readonly address: string }
  | { readonly kind: 'failed'; readonly address: string; readonly code: string };

interface AttemptOptions {
  readonly port: number;
  readonly onread?: OnReadOpts | undefined;
  /** Called with the result, and with each later event of the connection. The first call counts. */
  onOutcome(outcome: AttemptOutcome): void;
}

/** A minute: shorter than the idle time after which middleboxes forget a connection. */
const keepAliveDelay = 60_000;

/** Connects to one address literal, so Node looks nothing up. The socket is paused, because it has no reader yet. */
function attempt(address: string, { port, onread, onOutcome }: AttemptOptions): Attempt {
  const socket = connect({
    host: address,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelay,
    allowHalfOpen: true,
    ...(onread === undefined ? {} : { onread }),
  });
  socket.pause();
  socket.once('connect', () => onOutcome({ kind: 'connected', socket, address }));
  // This listener stays. Without it, a reset before the first reader attaches would end the process.
  socket.on('error', (error: NodeJS.ErrnoException) =>
    onOutcome({ kind: 'failed', address, code: error.code ?? 'unknown' }),
  );
  socket.once('close', () => onOutcome({ kind: 'failed', address, code: 'ECANCELED' }));
  return { cancel: () => void socket.destroy() };
}

interface Failure {
  readonly address: string;
  /** Name of an errno. */
  readonly code: string;
}

interface Meaning {
  readonly text: string;
  readonly remedy: string;
}

/** Meaning of an errno of `connect`, in words for a person. Source: connect(2). */
const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { text: 'nothing listens on this port', remedy: 'see whether the service runs, and on this port' },
  ECONNRESET: { text: 'it reset the connection', remedy: 'see whether the service runs, and on this port' },
  EHOSTUNREACH: {
    text: 'no route leads to it',
    remedy: 'see whether the network of the host is up and has a route there',
  },
  ENETUNREACH: {
    text: 'the host has no network of that kind',
    remedy: 'see whether the network of the host is up and has a route there',
  },
  EADDRNOTAVAIL: {
    text: 'the host has no address of that kind',
    remedy: 'see whether the network of the host is up and has a route there',
  },
  ETIMEDOUT: { text: 'it did not answer', remedy: 'check that the service is up, and that no firewall is in between' },
  EACCES: { text: 'a firewall of the host forbids it', remedy: 'see the firewall of the host' },
  EPERM: { text: 'a firewall of the host forbids it', remedy: 'see the firewall of the host' },
  EMFILE: { text: 'the host has no file descriptors left', remedy: 'raise the limit of open files (`ulimit -n`)' },
};

/** Returns the refusal after all addresses failed. Names each address with its reason. */
export function unreachable({ host, port }: Destination, failures: readonly Failure[]): Refused {
  const reasons = failures.map(
    ({ address, code }) => `${address === host ? '' : `${address}: `}${meanings[code]?.text ?? 'it failed'} (${code})`,
  );
  const remedy =
    failures.map(({ code }) => meanings[code]?.remedy).find((text) => text !== undefined) ??
    'see whether the service runs, and on this port';
  const code =
    failures.length > 0 && failures.every((failure) => failure.code === 'ETIMEDOUT')
      ? 'upstream-timeout'
      : 'unreachable';
  return refuse(
    code,
    `${host} port ${port} cannot be reached: ${reasons.length === 0 ? 'it has no addresses' : reasons.join('; ')}`,
    { remedy },
  );
}

export function tooSlow({ host, port }: Destination, milliseconds: number): Refused {
  return refuse('upstream-timeout', `${host} port ${port} did not answer within ${milliseconds} ms`, {
    remedy: 'check that the service is up, and that no firewall is in between',
  });
}

export function givenUp({ host, port }: Destination): Refused {
  return refuse('unreachable', `the connection to ${host} port ${port} was given up before it was established`, {
    remedy: 'nothing is wrong if the client went away',
  });
}
