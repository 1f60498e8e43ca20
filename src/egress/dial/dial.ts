import type { OnReadOpts } from 'node:net';
import type { Destination, Dialled, Refused, Vetted } from '../types.ts';
import { type Alarm, alarmAfter, alarmOn } from './alarm.ts';
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
export async function dial({ destination, addresses }: Vetted, options: DialOptions = {}): Promise<Dialled | Refused> {
  const race: Race = { destination, options, waiting: [...inOrder(addresses)], running: new Map(), failures: [] };
  const late = alarmAfter('late', options.timeout ?? 10_000);
  const gone = alarmOn('gone', options.signal);
  try {
    return await run(race, [late, gone]);
  } finally {
    for (const alarm of [late, gone]) alarm.clear();
    for (const { cancel } of race.running.values()) cancel();
  }
}

interface Race {
  readonly destination: Destination;
  readonly options: DialOptions;
  readonly waiting: string[];
  readonly running: Map<string, Attempt>;
  readonly failures: Failure[];
}

type RaceEvent = AttemptOutcome | { readonly kind: 'late' | 'gone' | 'head start over' | 'exhausted' };

async function run(race: Race, alarms: readonly Alarm<'late' | 'gone'>[]): Promise<Dialled | Refused> {
  for (;;) {
    const event = await nextEvent(race, alarms);
    switch (event.kind) {
      case 'connected':
        race.running.delete(event.address);
        return { kind: 'dialled', socket: event.socket, address: event.address };
      case 'failed':
        race.running.delete(event.address);
        race.failures.push(event);
        break;
      case 'head start over':
        break;
      case 'exhausted':
        return unreachable(race.destination, race.failures);
      case 'late':
        return tooSlow(race.destination, race.options.timeout ?? 10_000);
      case 'gone':
        return givenUp(race.destination);
    }
  }
}

/** Starts one more attempt, and waits for whatever happens first. */
async function nextEvent(race: Race, alarms: readonly Alarm<'late' | 'gone'>[]): Promise<RaceEvent> {
  const address = race.waiting.shift();
  if (address !== undefined) race.running.set(address, attempt(address, { port: race.destination.port, onread: race.options.onread }));
  else if (race.running.size === 0) return { kind: 'exhausted' };
  const headStart = race.waiting.length === 0 ? undefined : alarmAfter('head start over', race.options.headStart ?? 250);
  const outcomes = [...race.running.values()].map(({ outcome }) => outcome);
  try {
    return await Promise.race<RaceEvent>([...outcomes, ...[...alarms, ...(headStart === undefined ? [] : [headStart])].map(({ rings }) => rings)]);
  } finally {
    headStart?.clear();
  }
}
