import type { Destination, Dialled, EgressRefusal, Refused } from '../types.ts';
import type { PipelineContext } from './context.ts';
import { type ReachFor, reach } from './reach.ts';

/**
 * How connections get to the destination of one client. Where they lead is found out once: who puts a secret into a
 * request because it is not redirected relies on that, also when the policy changes while the client stays.
 */
export interface Way {
  readonly destination: Destination;
  /** Where a rule redirects it. */
  readonly redirected?: Destination;
  /** `when-allowed`: not even the name is looked up before a request has been allowed. */
  readonly dials: 'ahead' | 'when-allowed';
  /** A new connection to a vetted address. Each is decided and vetted again. */
  open(): Promise<Dialled | Refused>;
}

export interface WayOptions {
  /** What is dialled: the destination, or where it is redirected. See `leadsTo`. */
  readonly leads: Destination;
  readonly use: ReachFor;
}

export function wayTo(destination: Destination, { leads, use }: WayOptions, context: PipelineContext): Way {
  return {
    destination,
    dials: use === 'request' && context.authority.passesUnasked?.(destination) === false ? 'when-allowed' : 'ahead',
    ...(isSame(leads, destination) ? {} : { redirected: leads }),
    async open() {
      const reached = await reach(destination, use, context);
      if (reached.kind === 'refused') return reached;
      return isSame(reached.vetted.destination, leads)
        ? context.dial(reached.vetted)
        : { kind: 'refused', refusal: ledElsewhere(destination) };
    },
  };
}

/** A way whose first connection is there already. */
export interface BegunWay extends Way {
  /** Ends that connection if nobody has taken it. */
  discard(): void;
}

export function begunWith(dialled: Dialled, way: Way): BegunWay {
  let first: Dialled | undefined = dialled;
  const take = (): Dialled | undefined => {
    const taken = first;
    first = undefined;
    return taken;
  };
  return {
    ...way,
    async open() {
      const taken = take();
      if (taken !== undefined && !taken.socket.destroyed) return taken;
      return way.open();
    },
    discard: () => void take()?.socket.destroy(),
  };
}

function isSame(a: Destination, b: Destination): boolean {
  return a.host === b.host && a.port === b.port;
}

function ledElsewhere({ host, port }: Destination): EgressRefusal {
  return {
    code: 'policy',
    message: `since this connection began, the policy leads ${host}:${port} somewhere else`,
    remedy: 'open a new connection',
  };
}
