import type { JournalEntry, JournalEvent, RefusalEvent } from '../../audit/index.ts';
import { isRunning } from '../../place/host/supervisors.ts';
import { place } from '../../place/refusals/describe.ts';
import { HeldCalls } from '../usage/held-calls.ts';
import type { RefusalRow, Summary } from '../wire.ts';
import { DayTally, NetworkTally, newestOf, shownOnPage } from './network-tally.ts';
import { SessionTally } from './session-tally.ts';

type Connection = Extract<JournalEvent, { readonly type: 'connection' }> & Pick<JournalEntry, 'seq' | 'time'>;

/** The figures of the summary, updated with each event, in any order. Each list holds only its newest items. */
export class EventTally {
  readonly #sessions = new SessionTally();
  readonly #refusals = new RefusalTally();
  readonly #network = new NetworkTally();
  readonly #day = new DayTally();
  readonly calls = new HeldCalls();

  add(entries: readonly JournalEntry[], now = Date.now()): void {
    for (const entry of entries) if (isWellFormed(entry)) this.#take(entry, now);
  }

  summary(now = Date.now(), alive = isRunning): Summary {
    return {
      sessions: this.#sessions.rows(longest, alive),
      refusals: this.#refusals.rows(longest),
      day: this.#day.sums(now),
      network: this.#network.chart(now),
      models: this.calls.version,
    };
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

/** Whether a counted event has the required fields. The journal may be of another version, or damaged. */
function isWellFormed(entry: JournalEntry): boolean {
  return (
    has(entry, common) &&
    has(entry, (needed as Readonly<Record<string, Needs | undefined>>)[entry.type] ?? {}) &&
    !Number.isNaN(Date.parse(entry.time))
  );
}

type Needs = Readonly<Record<string, 'string' | 'number' | 'list' | 'object'>>;

const common: Needs = { seq: 'number', time: 'string', type: 'string' };
const needed = {
  'session.start': { session: 'string', workspace: 'string', argv: 'list', backend: 'string' },
  'session.end': { session: 'string', exitCode: 'number' },
  refusal: { session: 'string', workspace: 'string', verdict: 'object' },
  connection: { session: 'string', host: 'string', sent: 'number', received: 'number' },
} as const satisfies Readonly<Record<string, Needs>>;

function has(entry: JournalEntry, needs: Needs): boolean {
  const fields = entry as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(needs).every(([name, kind]) => kindOf(fields[name]) === kind);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

type Refusal = RefusalEvent & Pick<JournalEntry, 'seq' | 'time'>;

/** The newest refusals, by workspace, rule and message. Events may arrive in any order. */
class RefusalTally {
  readonly #rows = new Map<string, RefusalRow>();

  add(event: Refusal): void {
    const key = JSON.stringify(
      [event.workspace, event.verdict.rule, event.verdict.message].map((text) => String(text).slice(0, longestMessage)),
    );
    const row = this.#rows.get(key);
    const count = (row?.count ?? 0) + 1;
    this.#rows.set(key, row === undefined || event.seq > row.seq ? rowOf(event, count) : { ...row, count });
    if (row === undefined) newestOf(this.#rows, mostHeld);
  }

  /** Newest first. */
  rows(most: number): readonly RefusalRow[] {
    return [...this.#rows.values()].toSorted((a, b) => b.seq - a.seq).slice(0, most);
  }
}

const mostHeld = 400;
const longestMessage = 1000;

/** Texts are cut before they are kept, because a box may have written them. */
function rowOf(
  { seq, time, session, workspace, verdict: { message, rule, file, line, remedy } }: Refusal,
  count: number,
): RefusalRow {
  return {
    seq,
    time: shownOnPage(time, 40),
    session: shownOnPage(session, 80),
    workspace: shownOnPage(workspace),
    message: shownOnPage(message, longestMessage),
    rule: shownOnPage(rule, 200),
    place: shownOnPage(place({ file: String(file), line })),
    remedy: shownOnPage(remedy, 1000),
    count,
  };
}
