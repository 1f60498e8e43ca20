import type { JournalEntry, JournalEvent } from '../../audit/index.ts';
import type { CallRecord } from '../../llm/index.ts';
import { isCall, isReadableCall, recordOf } from '../../llm/session/read-calls.ts';
import { shownOnPage } from '../feed/network-tally.ts';
import { hourLength, Hours } from './hours.ts';
import type { CountLine } from './types.ts';

type Found = Extract<JournalEvent, { readonly type: 'dlp' }> & Pick<JournalEntry, 'time'>;

/** The journal's model calls that the longest range and the longest budget need. Events may arrive in any order. */
export class HeldCalls {
  readonly calls = new Hours<CallRecord>(mostCalls);
  readonly refused = new Hours<CountLine>(mostNotes);
  readonly found = new Hours<CountLine>(mostNotes);
  readonly #texts = new Map<string, string>();
  #version = 0;
  #unread = 0;

  /** Changes when a call was added. */
  get version(): number {
    return this.#version;
  }

  get unread(): number {
    return this.#unread;
  }

  add(entry: JournalEntry, now: number): void {
    const time = Date.parse(entry.time);
    if (!isOfModels(entry) || time < now - longestHeld) return;
    this.#version += 1;
    if (entry.type === 'model' ? !isReadableCall(entry) : !isReadableFind(entry)) this.#unread += 1;
    else if (entry.type === 'dlp') for (const line of linesOf(entry)) this.found.add(time, line);
    else if (entry.refusal !== undefined)
      this.refused.add(time, { names: [shownOnPage(entry.refusal.code, 60)], count: 1 });
    else if (isCall(entry)) this.calls.add(time, this.#compact(recordOf(entry)));
  }

  /** Texts are cut, because a box or a server may have written them, and equal ones are stored once. */
  #compact(record: CallRecord): CallRecord {
    const once = (text: string): string => this.#once(text.slice(0, longestName));
    const { session, workspace, provider, table, agent, model } = record;
    return {
      ...record,
      session: once(session),
      workspace: once(workspace),
      provider: once(provider),
      table: once(table),
      ...(agent === undefined ? {} : { agent: once(agent) }),
      ...(model === undefined ? {} : { model: once(model) }),
    };
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}

/** Slightly more than the longest range, and than the longest month. */
const longestHeld = 32 * 24 * hourLength;
const mostCalls = 200_000;
const mostNotes = 50_000;
const mostTexts = 20_000;
/** Longer than any name that a budget can match. */
const longestName = 400;
const mostKinds = 40;

function isOfModels(entry: JournalEntry): entry is Extract<JournalEntry, { readonly type: 'model' | 'dlp' }> {
  return entry.type === 'model' || entry.type === 'dlp';
}

function isReadableFind({ rule, decision, found }: Found): boolean {
  return [typeof rule, typeof decision, typeof found].join() === 'string,string,object' && found !== null;
}

function linesOf({ rule, decision, found }: Found): readonly CountLine[] {
  return Object.entries(found)
    .slice(0, mostKinds)
    .map(([kind, count]) => ({
      names: [rule, decision, kind].map((name) => shownOnPage(name, 120)),
      count: Number.isSafeInteger(count) && count > 0 ? count : 0,
    }));
}
