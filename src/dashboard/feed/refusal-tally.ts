import type { JournalEntry, RefusalEvent } from '../../audit/index.ts';
import { place } from '../../sandbox/refusals/describe.ts';
import type { RefusalRow } from '../wire.ts';
import { newestOf } from './newest-of.ts';
import { shown } from './shown.ts';

type Refusal = RefusalEvent & Pick<JournalEntry, 'seq' | 'time'>;

/** The newest refusals, by workspace, rule and message. Events may come in any order. */
export class RefusalTally {
  readonly #rows = new Map<string, RefusalRow>();

  add(event: Refusal): void {
    const key = JSON.stringify([event.workspace, event.verdict.rule, event.verdict.message].map((text) => String(text).slice(0, longestMessage)));
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

/** Texts are cut before they are held: a box may have written any. */
function rowOf({ seq, time, session, workspace, verdict: { message, rule, file, line, remedy } }: Refusal, count: number): RefusalRow {
  return { seq, time: shown(time, 40), session: shown(session, 80), workspace: shown(workspace), message: shown(message, longestMessage), rule: shown(rule, 200), place: shown(place({ file: String(file), line })), remedy: shown(remedy, 1000), count };
}
