import { billionth, type Account } from './account.ts';
import type { Prices } from './prices.ts';
import type { BudgetCall, SpentCall } from './types.ts';

export interface Estimating {
  readonly prices: Prices;
  readonly now: Date;
}

/** What a call costs at least: a text has no more than eight bytes to a token, and all of it may come from a cache. In units of the account. */
export function leastOf({ budget }: Account, call: BudgetCall, { prices, now }: Estimating): number {
  const tokens = Math.floor((call.input ?? 0) / 2);
  if (budget.limit.kind === 'tokens') return tokens;
  return budget.limit.kind === 'usd' ? Math.floor(prices.usdOf(call, tokens, { as: 'cacheRead', now }) * billionth) : 0;
}

/** What its input is likely to cost, and what it said. */
export function likelyCost({ budget }: Account, call: BudgetCall & Pick<SpentCall, 'said'>, { prices, now }: Estimating): number {
  const { input = 0, said = 0 } = call;
  if (budget.limit.kind === 'tokens') return input + said;
  const usd = budget.limit.kind === 'usd' ? prices.usdOf(call, input, { as: 'uncachedInput', now }) + prices.usdOf(call, said, { as: 'output', now }) : 0;
  return Math.round(usd * billionth);
}
