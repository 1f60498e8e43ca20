import type { JournalEntry, JournalEvent } from '../../audit/index.ts';
import type { Summary } from '../wire.ts';
import { HeldCalls } from '../usage/held-calls.ts';
import { DayTally } from './day-tally.ts';
import { isRunning } from './is-running.ts';
import { isWellFormed } from './is-well-formed.ts';
import { NetworkTally } from './network-tally.ts';
import { RefusalTally } from './refusal-tally.ts';
import { SessionTally } from './session-tally.ts';

type Connection = Extract<JournalEvent, { readonly type: 'connection' }> & Pick<JournalEntry, 'seq' | 'time'>;

/** What the summary shows, kept up event by event, in whatever order they come. Each list holds its newest, however many there were. */
export class Tally {
  readonly #sessions = new SessionTally();
  readonly #refusals = new RefusalTally();
  readonly #network = new NetworkTally();
  readonly #day = new DayTally();
  readonly calls = new HeldCalls();

  add(entries: readonly JournalEntry[], now = Date.now()): void {
    for (const entry of entries) if (isWellFormed(entry)) this.#take(entry, now);
  }

  summary(now = Date.now(), alive = isRunning): Summary {
    return { sessions: this.#sessions.rows(longest, alive), refusals: this.#refusals.rows(longest), day: this.#day.sums(now), network: this.#network.chart(now), models: this.calls.version };
  }

  #take(entry: JournalEntry, now: number): void {
    switch (entry.type) {
      case 'session.start':
        return this.#sessions.start(entry);
      case 'session.end':
        return this.#sessions.end(entry);
      case 'refusal':
        this.#sessions.count(entry, { refusals: 1 });
        this.#refusals.add(entry);
        return this.#day.add({ at: Date.parse(entry.time), now }, { refusals: 1 });
      case 'connection':
        return this.#connect(entry, now);
      case 'model':
      case 'dlp':
        return this.calls.add(entry, now);
      default:
    }
  }

  #connect(entry: Connection, now: number): void {
    const { host, sent, received, refusal, time } = entry;
    const at = { at: Date.parse(time), now };
    this.#sessions.count(entry, { sent, received });
    this.#day.add(at, { connections: 1, sent, received });
    this.#network.add(at, host, { connections: 1, refusals: refusal === undefined ? 0 : 1, sent, received });
  }
}

const longest = 200;
