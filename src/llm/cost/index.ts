/**
 * What calls to models cost: by the prices of a policy, else by those of `@pydantic/genai-prices`, whose version goes with each.
 * What they do not know has no cost, which is not the same as 0.
 */
export { priceTable } from './cost-of.ts';
export { createPricer } from './custom-price.ts';
export { matchesGlob, matchesModel } from './glob.ts';
export { longestModelName } from './model-name.ts';
export { inputTokens, isCountable } from './usage.ts';
export type { Cost, CustomPrice, CustomPrices, PricedCall, PriceOf } from './types.ts';
