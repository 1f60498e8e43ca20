import { type Budgets, type BudgetWarning, type CallOutcome, type CallRecord, type Cost, createBudgets, createPricer, createRateLimits, type CustomPrices, type ModelCall, type PriceOf, priceTable, type RateLimits } from '../../llm/index.ts';
import type { LlmSettings } from '../../policy/index.ts';

/** Whether a call may go on, and what the agent is to be told with it. */
export type Admission =
  | { readonly kind: 'go'; readonly warnings: readonly BudgetWarning[] }
  | { readonly kind: 'refused'; readonly code: 'budget-spent' | 'budget-unpriced' | 'rate-limited'; readonly status: number; readonly message: string; readonly retryAfter?: number };

export interface Spending {
  admit(call: ModelCall, settings: LlmSettings): Admission;
  /** Of a call that was not made. */
  free(): Cost;
  note(call: ModelCall, outcome: CallOutcome & { readonly status: number }, settings: LlmSettings): Cost;
}

export interface SpendingOptions {
  readonly session: string;
  /** What the journal holds of this month; asked for once, where a budget of days or months is set. */
  spent(): readonly CallRecord[];
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What happened, without the words of answers: a session may last for weeks. */
type Noted =
  | { readonly kind: 'admitted'; readonly call: ModelCall; readonly at: number }
  | { readonly kind: 'ended'; readonly call: ModelCall; readonly at: number; readonly outcome: Spent };

type Spent = Pick<CallOutcome, 'usage' | 'model'> & { readonly status: number };

/** What the session has spent. A policy that changes is counted anew, from what the journal holds and the session noted. */
export function createSpending({ session, spent, now }: SpendingOptions): Spending {
  const noted: Noted[] = [];
  let counting: ({ readonly key: string } & Counting) | undefined;
  const current = (settings: LlmSettings): Counting => {
    const key = JSON.stringify([settings.budgets, settings.rates, settings.prices]);
    if (counting?.key === key) return counting;
    const past = settings.budgets.some(({ over }) => over !== 'session') ? spent() : [];
    const fresh = openCounting(settings, { session, spent: past.filter((record) => record.session !== session), now: new Date(now()) });
    for (const each of noted) replay(fresh, each);
    counting = { key, ...fresh };
    return fresh;
  };
  return {
    admit(call, settings) {
      const { budgets, rates } = current(settings);
      const rate = rates.admit(call, now());
      if (rate.kind === 'wait') return { kind: 'refused', code: 'rate-limited', status: 429, message: rate.message, retryAfter: Math.max(1, Math.ceil(rate.milliseconds / 1000)) };
      const answer = budgets.admit(call, new Date(now()));
      if (answer.kind !== 'go') return { kind: 'refused', code: answer.kind === 'spent' ? 'budget-spent' : 'budget-unpriced', status: 403, message: `${answer.message.replace(/\.$/u, '')}; ${answer.remedy}` };
      noted.push({ kind: 'admitted', call, at: now() });
      return answer;
    },
    free: () => ({ kind: 'priced', usd: 0, model: '', table: priceTable }),
    note(call, { usage, model, status }, settings) {
      const fresh = current(settings);
      // Who left before the answer began may have been served: that is not free.
      const outcome = { ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }), status: status === 0 ? 200 : status };
      const ended: Noted = { kind: 'ended', call, outcome, at: now() };
      noted.push(ended);
      replay(fresh, ended);
      return costOf(fresh.priceOf, ended);
    },
  };
}

interface Counting {
  readonly budgets: Budgets;
  readonly rates: RateLimits;
  readonly priceOf: PriceOf;
}

function openCounting(settings: LlmSettings, past: { readonly session: string; readonly spent: readonly CallRecord[]; readonly now: Date }): Counting {
  const priceOf = createPricer(pricesOf(settings));
  const rates = createRateLimits(settings.rates.map(({ providers, ...rate }) => ({ ...rate, providers: providers.length === 0 ? ['*'] : providers })));
  return { priceOf, rates, budgets: createBudgets(settings.budgets.map(withoutEmpty), { ...past, priceOf }) };
}

function replay({ budgets, rates, priceOf }: Counting, noted: Noted): void {
  const { call, at } = noted;
  if (noted.kind === 'admitted') {
    rates.admit(call, at);
    budgets.admit(call, new Date(at));
    return;
  }
  budgets.note(call, { ...noted.outcome, cost: costOf(priceOf, noted) }, new Date(at));
  rates.note(call, noted.outcome.usage, at);
}

interface Ended {
  readonly call: ModelCall;
  readonly outcome: Spent;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

function costOf(priceOf: PriceOf, { call: { provider, model: asked }, outcome: { usage, model = asked }, at }: Ended): Cost {
  const call = { provider, at: new Date(at), ...(model === undefined ? {} : { model }) };
  return usage === undefined ? { kind: 'unknown', table: priceOf(noTokens, call).table } : priceOf(usage, call);
}

const noTokens = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

/** An empty list of a policy means all of them. */
function withoutEmpty({ providers, models, ...budget }: LlmSettings['budgets'][number]) {
  return { ...budget, ...(providers.length === 0 ? {} : { providers }), ...(models.length === 0 ? {} : { models }) };
}

function pricesOf({ prices }: LlmSettings): CustomPrices {
  return Object.fromEntries(prices.toReversed().flatMap(({ models, input, output, cacheRead, cacheWrite }) => models.map((model) => [model, { input, output, ...(cacheRead === undefined ? {} : { cache_read: cacheRead }), ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }) }])));
}
