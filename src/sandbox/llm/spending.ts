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

/** What the session has spent. A policy that changes is counted anew, from what the journal holds and the session noted. */
export function createSpending({ session, spent, now }: SpendingOptions): Spending {
  const noted: { readonly call: ModelCall; readonly outcome: CallOutcome & { readonly status: number }; readonly at: number }[] = [];
  let counting: { readonly key: string; readonly budgets: Budgets; readonly rates: RateLimits; readonly priceOf: PriceOf } | undefined;
  const current = (settings: LlmSettings): NonNullable<typeof counting> => {
    const key = JSON.stringify([settings.budgets, settings.rates, settings.prices]);
    if (counting?.key === key) return counting;
    const priceOf = createPricer(pricesOf(settings));
    const past = settings.budgets.some(({ over }) => over !== 'session') ? spent() : [];
    const budgets = createBudgets(settings.budgets.map(withoutEmpty), { session, spent: past.filter((record) => record.session !== session), now: new Date(now()), priceOf });
    for (const { call, outcome, at } of noted) {
      budgets.admit(call, new Date(at));
      budgets.note(call, { ...outcome, cost: costOf(priceOf, { call, outcome, at }) }, new Date(at));
    }
    return (counting = { key, budgets, priceOf, rates: createRateLimits(settings.rates.map(({ providers, ...rate }) => ({ ...rate, providers: providers.length === 0 ? ['*'] : providers }))) });
  };
  return {
    admit(call, settings) {
      const { budgets, rates } = current(settings);
      const rate = rates.admit(call, now());
      if (rate.kind === 'wait') return { kind: 'refused', code: 'rate-limited', status: 429, message: rate.message, retryAfter: Math.max(1, Math.ceil(rate.milliseconds / 1000)) };
      const answer = budgets.admit(call, new Date(now()));
      if (answer.kind === 'go') return answer;
      return { kind: 'refused', code: answer.kind === 'spent' ? 'budget-spent' : 'budget-unpriced', status: 403, message: `${answer.message.replace(/\.$/u, '')}; ${answer.remedy}` };
    },
    free: () => ({ kind: 'priced', usd: 0, model: '', table: priceTable }),
    note(call, outcome, settings) {
      const { budgets, rates, priceOf } = current(settings);
      const cost = costOf(priceOf, { call, outcome, at: now() });
      noted.push({ call, outcome, at: now() });
      budgets.note(call, { ...outcome, cost }, new Date(now()));
      rates.note(call, outcome.usage, now());
      return cost;
    },
  };
}

interface Ended {
  readonly call: ModelCall;
  readonly outcome: CallOutcome;
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
