import type { Usage } from '../types.ts';
import { costOf } from './cost-of.ts';
import { matchesModel } from './glob.ts';
import type { Cost, CustomPrice, CustomPrices, PricedCall, PriceOf } from './types.ts';
import { isCountable } from './usage.ts';

/** Stands for the table in what a policy priced. */
const policyTable = 'policy';

/** A policy's prices first, then the table. */
export function createPricer(prices: CustomPrices): PriceOf {
  return (usage, call) => customPrice(prices, usage, call) ?? costOf(usage, call);
}

/**
 * What a call costs by a policy's own prices; undefined where none of them is for its model. A name without `*` goes before patterns,
 * and a longer pattern before a shorter one.
 */
export function customPrice(prices: CustomPrices, usage: Usage, call: PricedCall): Cost | undefined {
  const pattern = patternFor(prices, call);
  const price = pattern === undefined ? undefined : prices[pattern];
  if (pattern === undefined || price === undefined) return undefined;
  const usd = usdOf(price, usage);
  return Number.isFinite(usd) && usd >= 0 && isCountable(usage) ? { kind: 'priced', usd, model: pattern, table: policyTable } : { kind: 'unknown', table: policyTable };
}

function patternFor(prices: CustomPrices, { provider, model }: PricedCall): string | undefined {
  if (model === undefined) return undefined;
  return Object.keys(prices)
    .filter((pattern) => matchesModel(pattern, { provider, model }))
    .sort((one, other) => Number(one.includes('*')) - Number(other.includes('*')) || other.length - one.length || (one < other ? -1 : 1))[0];
}

function usdOf(price: CustomPrice, usage: Usage): number {
  const read = price.cache_read ?? price.input;
  const write = price.cache_write ?? price.input;
  const writeLong = price.cache_write_1h ?? write;
  if ([price.input, price.output, read, write, writeLong].some((rate) => !(rate >= 0))) return Number.NaN;
  return (usage.uncachedInput * price.input + usage.cacheRead * read + usage.cacheWrite5m * write + usage.cacheWrite1h * writeLong + usage.output * price.output) / 1e6;
}
