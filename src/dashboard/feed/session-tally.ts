import type { JournalEntry, SessionEndEvent, SessionStartEvent } from '../../audit/index.ts';
import type { SessionRow } from '../wire.ts';
import { newestOf, shownOnPage } from './network-tally.ts';

type Of<E> = E & Pick<JournalEntry, 'seq' | 'time'>;

interface Sums {
  /** Number of the session's newest event. */
  seq: number;
  starts: number;
  ends: number;
  refusals: number;
  sent: number;
  received: number;
  first: Facts<'id' | 'workspace' | 'backend' | 'startedAt'> | undefined;
  newest: Facts<'command'> | undefined;
  end: Facts<'endedAt' | 'exitCode'> | undefined;
}

/** Texts are cut before they are kept, because a box may have written them. */
type Facts<Names extends keyof SessionRow> = { readonly seq: number } & Required<Pick<SessionRow, Names>>;

/** The newest sessions. Events may arrive in any order, because a long journal is read backwards. */
export class SessionTally {
  readonly #sessions = new Map<string, Sums>();

  start({ session, seq, workspace, argv, backend, time }: Of<SessionStartEvent>): void {
    const sums = this.#of(session, seq);
    sums.starts += 1;
    if (sums.first === undefined || seq < sums.first.seq)
      sums.first = {
        seq,
        id: shownOnPage(session, 80),
        workspace: shownOnPage(workspace),
        backend: shownOnPage(backend, 40),
        startedAt: shownOnPage(time, 40),
      };
    if (sums.newest === undefined || seq > sums.newest.seq) sums.newest = { seq, command: shownOnPage(argv.join(' ')) };
  }

  end({ session, seq, time, exitCode }: Of<SessionEndEvent>): void {
    const sums = this.#of(session, seq);
    sums.ends += 1;
    if (sums.end === undefined || seq > sums.end.seq) sums.end = { seq, endedAt: shownOnPage(time, 40), exitCode };
  }

  count(
    { session, seq }: { readonly session: string; readonly seq: number },
    { refusals = 0, sent = 0, received = 0 }: Partial<Pick<Sums, 'refusals' | 'sent' | 'received'>>,
  ): void {
    const sums = this.#of(session, seq);
    sums.refusals += refusals;
    sums.sent += sent;
    sums.received += received;
  }

  /** Newest first. Leaves out sessions whose start is not in the journal, or was not read yet. */
  rows(most: number, alive: (session: string) => boolean): readonly SessionRow[] {
    const begun = [...this.#sessions.values()].flatMap(({ first, newest, ...sums }) =>
      first === undefined || newest === undefined ? [] : [{ ...sums, first, newest }],
    );
    return begun
      .toSorted((a, b) => b.first.seq - a.first.seq)
      .slice(0, most)
      .map((sums) => rowOf(sums, alive));
  }

  #of(session: string, seq: number): Sums {
    const sums = this.#sessions.get(session) ?? {
      seq,
      starts: 0,
      ends: 0,
      refusals: 0,
      sent: 0,
      received: 0,
      first: undefined,
      newest: undefined,
      end: undefined,
    };
    sums.seq = Math.max(sums.seq, seq);
    if (!this.#sessions.has(session)) newestOf(this.#sessions.set(session, sums), mostHeld);
    return sums;
  }
}

/** More than are shown, because the start of some is not read yet. */
const mostHeld = 1000;

interface Begun extends Sums {
  readonly first: NonNullable<Sums['first']>;
  readonly newest: NonNullable<Sums['newest']>;
}

/** Commands of a session may run side by side, so the session has ended when all of them have. */
function rowOf(
  { first, newest, end, starts, ends, refusals, sent, received }: Begun,
  alive: (session: string) => boolean,
): SessionRow {
  const { seq: _, ...facts } = first;
  const ended = end === undefined || end.seq < newest.seq ? {} : { endedAt: end.endedAt, exitCode: end.exitCode };
  return {
    ...facts,
    command: newest.command,
    ...ended,
    state: starts <= ends ? 'ended' : livingState(facts.id, alive),
    commands: starts,
    refusals,
    sent,
    received,
  };
}

function livingState(session: string, alive: (session: string) => boolean): SessionRow['state'] {
  return alive(session) ? 'running' : 'lost';
}
