import type { JournalEntry } from '../entries.ts';
import type { SessionEndEvent, SessionStartEvent } from '../events.ts';
import { attributesOf, valueOf } from './attributes.ts';
import { nanoseconds, type KeyValue, type Span } from './proto-json.ts';
import { sessionIds } from './session-ids.ts';

/** Gathers the beginnings and ends of sessions as entries pass. A session that has not ended has no span yet. */
export class SessionSpans {
  readonly #sessions = new Map<string, Begun>();

  add(entry: JournalEntry): void {
    if (entry.type === 'session.start') {
      const begun = this.#sessions.get(entry.session) ?? { start: entry, running: 0, end: undefined };
      this.#sessions.set(entry.session, { ...begun, running: begun.running + 1 });
    } else if (entry.type === 'session.end') {
      const begun = this.#sessions.get(entry.session);
      if (begun !== undefined) this.#sessions.set(entry.session, { ...begun, running: begun.running - 1, end: entry });
    }
  }

  /** Of the sessions whose every command has ended. */
  build(): readonly Span[] {
    return Array.from(this.#sessions.values()).flatMap(({ start, end, running }) => (end === undefined || running > 0 ? [] : [spanOf(start, end)]));
  }
}

interface Begun {
  readonly start: JournalEntry & SessionStartEvent;
  readonly end: (JournalEntry & SessionEndEvent) | undefined;
  /** Commands that have not ended. */
  readonly running: number;
}

function spanOf(start: Begun['start'], end: JournalEntry & SessionEndEvent): Span {
  const failed = end.exitCode !== 0 || end.reason !== 'exit';
  return {
    ...sessionIds(start.session),
    name: 'holdfast.session',
    kind: 1,
    startTimeUnixNano: nanoseconds(Date.parse(start.time) || 0),
    endTimeUnixNano: nanoseconds(Date.parse(end.time) || 0),
    attributes: [
      ...named('session.id', start.session),
      ...named('process.command_args', start.argv),
      ...named('process.exit.code', end.exitCode),
      ...attributesOf('holdfast', { workspace: start.workspace, backend: start.backend, policy: start.policy, reason: end.reason, signal: end.signal }),
    ],
    status: failed ? { code: 2, message: end.reason === 'exit' ? `status ${end.exitCode}` : String(end.reason) } : { code: 0 },
  };
}

function named(key: string, value: unknown): readonly KeyValue[] {
  const known = valueOf(value);
  return known === undefined ? [] : [{ key, value: known }];
}
