import type { Usage } from '../types.ts';
import type { BudgetCall, BudgetOptions } from './types.ts';

/** What calls may cost, before anybody knows what they did. */
export interface Prices {
  isPriced(call: BudgetCall, now: Date): boolean;
  /** US dollars for so many tokens; 0 where there is no price. */
  usdOf(call: BudgetCall, tokens: number, priced: { readonly as: 'cacheRead' | 'uncachedInput' | 'output'; readonly now: Date }): number;
}

/** To look into the table takes a third of a millisecond, in the way of the first byte. A model that has a price keeps one. */
export function rememberPrices({ priceOf }: Pick<BudgetOptions, 'priceOf'>): Prices {
  const known = new Map<string, number>();
  const priceFor = ({ provider, model, operation }: BudgetCall, usage: Usage, now: Date): number | undefined => {
    const name = JSON.stringify([provider, model, operation, usage]);
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const cost = priceOf(usage, { provider, at: now, ...(model === undefined ? {} : { model }) });
    if (cost.kind === 'unknown') return undefined;
    if (known.size < mostRemembered) known.set(name, cost.usd);
    return cost.usd;
  };
  return {
    isPriced: (call, now) => priceFor(call, call.operation === 'embed' ? { ...none, uncachedInput: 1 } : { ...none, uncachedInput: 1, output: 1 }, now) !== undefined,
    usdOf: (call, tokens, { as, now }) => (tokens === 0 ? 0 : (tokens / thousand) * (priceFor(call, { ...none, [as]: thousand }, now) ?? 0)),
  };
}

/** Applications choose the names. */
const mostRemembered = 300;
const thousand = 1000;
const none: Usage = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
