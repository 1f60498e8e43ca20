import { calcPrice, findProvider, type PriceCalculation } from '@pydantic/genai-prices';
import type { Usage } from '../types.ts';
import { modelName } from './model-name.ts';
import { isSameVersion } from './same-version.ts';
import type { Cost, PricedCall } from './types.ts';
import { inputTokens, isCountable } from './usage.ts';

/** Package and version of the prices. Written out, for the package's own description is not in the bundle. */
export const priceTable = '@pydantic/genai-prices@0.1.8';

const unknown: Cost = { kind: 'unknown', table: priceTable };

/**
 * What a call cost by the table's prices of its time, in the table's first tier of service: batches, priority and images are not told
 * apart. `unknown` for models, providers and kinds of tokens that the table has no price for, and for usage that is no usage.
 * Where the table has no price of its own for cached tokens, they cost what it has: writes for an hour as writes, writes and reads as input.
 */
export function costOf(usage: Usage, call: PricedCall): Cost {
  const name = call.model === undefined ? undefined : modelName(call.provider, call.model);
  // The package takes any name with `openai` or `google` in it for theirs: a policy's `my-openai` is neither.
  if (name === undefined || !isCountable(usage) || findProvider({ providerId: call.provider })?.id !== call.provider) return unknown;
  const price = tryPrice(usage, name, call);
  if (price === undefined || !isSameVersion(price.model.match, name) || !covers(price, usage) || !Number.isFinite(price.total_price)) return unknown;
  return { kind: 'priced', usd: price.total_price, model: price.model.id, table: priceTable };
}

function tryPrice(usage: Usage, name: string, { provider, at }: PricedCall): PriceCalculation | undefined {
  const counts = {
    input_tokens: inputTokens(usage),
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_write_1h_tokens: usage.cacheWrite1h,
    output_tokens: usage.output,
    output_reasoning_tokens: Math.min(usage.reasoning, usage.output),
  };
  try {
    return calcPrice(counts, name, { providerId: provider, timestamp: at }) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * To the package, what has no price costs nothing. It writes free models without any, and some that are not: the name must
 * say that they are.
 */
function covers({ model, model_price: price }: PriceCalculation, usage: Usage): boolean {
  if (Object.keys(price).length === 0) return model.id.endsWith(':free');
  return (inputTokens(usage) === 0 || price['input_mtok'] !== undefined) && (usage.output === 0 || price['output_mtok'] !== undefined);
}
