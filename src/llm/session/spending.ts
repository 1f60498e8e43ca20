import { statSync } from 'node:fs';
import { journalEntries, type JournalPosition } from '../../audit/index.ts';
import { newestEntries } from '../../audit/newest-entries.ts';
import type { LlmSettings } from '../../policy/llm/types.ts';
import {
  type BudgetCall,
  type Budgets,
  type BudgetWarning,
  type CallOutcome,
  type CallRecord,
  type Cost,
  createBudgets,
  createPricer,
  createRateLimits,
  type CustomPrices,
  type ModelCall,
  type PriceOf,
  priceTable,
  type RateLimits,
  type SpentCall,
} from '../index.ts';
import { callEntries, countedRecord, isCall } from './read-calls.ts';

/** Decision about a call, with a message for the agent. */
export type SpendingDecision =
  | { readonly kind: 'go'; readonly warnings: readonly BudgetWarning[] }
  | {
      readonly kind: 'refused';
      readonly code: 'budget-spent' | 'budget-unpriced' | 'rate-limited';
      readonly status: number;
      readonly message: string;
      readonly retryAfter?: number;
    };

export interface Spending {
  /** `input`: estimated tokens of its texts. */
  admit(call: ModelCall, settings: LlmSettings, input?: number): SpendingDecision;
  /** Releases a call that was not made. If it was admitted, its reserved amount is released too. */
  free(call: ModelCall): Cost;
  note(call: ModelCall, outcome: CallOutcome & Pick<SpentCall, 'status' | 'said'>, settings: LlmSettings): Cost;
}

export interface SpendingOptions {
  readonly session: string;
  /** Returns the use by other sessions in this month. Called only if a budget of days or months exists. */
  ofOthers(): CallsOfOthers;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A past event without the text of answers, because a session may run for weeks. */
type Noted =
  | { readonly kind: 'admitted'; readonly call: SentCall; readonly at: number }
  | { readonly kind: 'released'; readonly call: SentCall; readonly at: number }
  | { readonly kind: 'ended'; readonly call: SentCall; readonly at: number; readonly outcome: Spent };

type SentCall = ModelCall & Pick<BudgetCall, 'input'>;

type Spent = Pick<CallOutcome, 'usage' | 'model'> & Pick<SpentCall, 'status' | 'said'>;

/**
 * Counts the session's spending. After a change of the policy it recounts everything, from the journal and the
 * session's own notes.
 */
export function createSpending({ session, ofOthers, now }: SpendingOptions): Spending {
  const noted: Noted[] = [];
  const admitted = new WeakMap<ModelCall, SentCall>();
  let counting: ({ readonly key: string } & Counting) | undefined;
  const current = (settings: LlmSettings): Counting => {
    const key = JSON.stringify([settings.budgets, settings.rates, settings.prices]);
    if (counting?.key === key) return counting;
    const others = settings.budgets.some(({ over }) => over !== 'session') ? ofOthers() : nobody;
    const fresh = openCounting(settings, { session, others, now: new Date(now()) });
    for (const each of noted) replay(fresh, each);
    counting = { key, ...fresh };
    return fresh;
  };
  return {
    admit(call, settings, input = 0) {
      const { budgets, rates, others } = current(settings);
      for (const record of others.more()) budgets.add(record, new Date(now()));
      const rate = rates.admit(call, now());
      if (rate.kind === 'wait')
        return {
          kind: 'refused',
          code: 'rate-limited',
          status: 429,
          message: rate.message,
          retryAfter: Math.max(1, Math.ceil(rate.milliseconds / 1000)),
        };
      const sent: SentCall = input === 0 ? call : { ...call, input };
      const answer = budgets.admit(sent, new Date(now()));
      if (answer.kind !== 'go')
        return {
          kind: 'refused',
          code: answer.kind === 'spent' ? 'budget-spent' : 'budget-unpriced',
          status: 403,
          message: `${answer.message.replace(/\.$/u, '')}; ${answer.remedy}`,
        };
      admitted.set(call, sent);
      noted.push({ kind: 'admitted', call: sent, at: now() });
      return answer;
    },
    free(call) {
      const sent = admitted.get(call);
      if (sent?.input !== undefined) {
        counting?.budgets.release(sent);
        noted.push({ kind: 'released', call: sent, at: now() });
      }
      return { kind: 'priced', usd: 0, model: '', table: priceTable };
    },
    note(call, { usage, model, status, said = 0 }, settings) {
      const fresh = current(settings);
      const outcome = {
        ...(usage === undefined ? {} : { usage }),
        ...(model === undefined ? {} : { model }),
        status,
        said,
      };
      const ended: Noted = { kind: 'ended', call: admitted.get(call) ?? call, outcome, at: now() };
      noted.push(ended);
      replay(fresh, ended);
      return costOf(fresh.priceOf, ended);
    },
  };
}

const nobody: CallsOfOthers = { spent: [], more: () => [] };

interface Counting {
  readonly others: CallsOfOthers;
  readonly budgets: Budgets;
  readonly rates: RateLimits;
  readonly priceOf: PriceOf;
}

function openCounting(
  settings: LlmSettings,
  { session, others, now }: { readonly session: string; readonly others: CallsOfOthers; readonly now: Date },
): Counting {
  const priceOf = createPricer(pricesOf(settings));
  const rates = createRateLimits(
    settings.rates.map(({ providers, ...rate }) => ({
      ...rate,
      providers: providers.length === 0 ? ['*'] : providers,
    })),
  );
  return {
    others,
    priceOf,
    rates,
    budgets: createBudgets(settings.budgets.map(withoutEmpty), { session, spent: others.spent, now, priceOf }),
  };
}

function replay({ budgets, rates, priceOf }: Counting, noted: Noted): void {
  const { call, at } = noted;
  if (noted.kind === 'admitted') {
    rates.admit(call, at);
    budgets.admit(call, new Date(at));
    return;
  }
  if (noted.kind === 'released') return budgets.release(call);
  budgets.note(call, { ...noted.outcome, cost: costOf(priceOf, noted) }, new Date(at));
  rates.note(call, noted.outcome.usage, at);
}

interface Ended {
  readonly call: ModelCall;
  readonly outcome: Spent;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

function costOf(
  priceOf: PriceOf,
  { call: { provider, model: asked }, outcome: { usage, model = asked }, at }: Ended,
): Cost {
  const call = { provider, at: new Date(at), ...(model === undefined ? {} : { model }) };
  return usage === undefined ? { kind: 'unknown', table: priceOf(noTokens, call).table } : priceOf(usage, call);
}

const noTokens = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

/** In a policy, an empty list means all. */
function withoutEmpty({ providers, models, ...budget }: LlmSettings['budgets'][number]) {
  return { ...budget, ...(providers.length === 0 ? {} : { providers }), ...(models.length === 0 ? {} : { models }) };
}

function pricesOf({ prices }: LlmSettings): CustomPrices {
  return Object.fromEntries(
    prices.toReversed().flatMap(({ models, input, output, cacheRead, cacheWrite }) =>
      models.map((model) => [
        model,
        {
          input,
          output,
          ...(cacheRead === undefined ? {} : { cache_read: cacheRead }),
          ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
        },
      ]),
    ),
  );
}

/** Calls of other sessions, each reported once. */
interface CallsOfOthers {
  /** Calls in the journal at the beginning. */
  readonly spent: readonly CallRecord[];
  /** Returns the calls since the last request. If the journal has not grown, this costs one look at its size. */
  more(): readonly CallRecord[];
}

interface CallsOptions {
  /** The session whose calls are left out. */
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Reads the calls of models that other sessions add to the journal while this session runs. */
export function callsOfOthers(journal: string, { session, since }: CallsOptions): CallsOfOthers {
  let next = lastEntry(journal);
  const entries = callEntries(journal, since);
  // An entry that is written between these two lines is seen twice.
  const known = entries.at(-1)?.seq ?? 0;
  let stamp: string | undefined;

  function* read(): Generator<CallRecord, void, undefined> {
    for (const { entry, next: after } of journalEntries(journal, next === undefined ? {} : { from: next })) {
      next = after;
      if (isCall(entry) && entry.seq > known && entry.session !== session) yield countedRecord(entry);
    }
  }

  return {
    spent: entries.filter((entry) => entry.session !== session).map(countedRecord),
    more() {
      const now = stampOf(journal);
      if (now === stamp) return [];
      stamp = now;
      return [...read()];
    },
  };
}

/** Returns the position of the newest entry. The file may end in the middle of an entry. */
function lastEntry(journal: string): JournalPosition | undefined {
  const [newest] = newestEntries(journal, { count: 1 });
  return newest === undefined ? undefined : { part: newest.part, offset: newest.offset, line: 1 };
}

/** Changes when the file has grown or was rotated. */
function stampOf(journal: string): string {
  const { ino = 0, size = 0 } = statSync(journal, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${size}`;
}
