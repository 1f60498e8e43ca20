import { calcPrice, findProvider, type MatchLogic, type PriceCalculation } from '@pydantic/genai-prices';
import { matchesStars } from '../../policy/patterns/wildcard.ts';
import type { Usage } from '../types.ts';

/** Identifies a price. Prices change over time. */
export interface PricedCall {
  readonly provider: string;
  /** The model that the answer names. An Azure deployment needs it, because its own name may be anything. */
  readonly model?: string;
  readonly at: Date;
}

/** Cost of a call. A price of 0 counts as a price. An unknown cost is never 0. */
export type Cost =
  /** `model` is the name of the entry in the table, or the pattern in the policy. `usd` is finite and at least 0. */
  | { readonly kind: 'priced'; readonly usd: number; readonly model: string; readonly table: string }
  | { readonly kind: 'unknown'; readonly table: string };

export type PriceOf = (usage: Usage, call: PricedCall) => Cost;

/**
 * USD per million tokens. By default, tokens that are read from or written to a cache cost as much as input. Tokens
 * that are cached for an hour cost as much as `cache_write`.
 */
export interface CustomPrice {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly cache_write_1h?: number;
}

/** Keys are patterns of `model` or `provider/model`. `*` matches any characters. */
export type CustomPrices = Readonly<Record<string, CustomPrice>>;

/** Shown as the table of prices that come from a policy file. */
const policyTable = 'policy';

/** Looks up a policy's prices first, then the table. */
export function createPricer(prices: CustomPrices): PriceOf {
  return (usage, call) => customPrice(prices, usage, call) ?? customCost(usage, call);
}

/**
 * Returns the cost of a call by a policy's own prices. Undefined if no price matches its model. A name without `*` wins
 * over patterns, and a longer pattern wins over a shorter one.
 */
export function customPrice(prices: CustomPrices, usage: Usage, call: PricedCall): Cost | undefined {
  const pattern = patternFor(prices, call);
  const price = pattern === undefined ? undefined : prices[pattern];
  if (pattern === undefined || price === undefined) return undefined;
  const usd = usdOf(price, usage);
  return Number.isFinite(usd) && usd >= 0 && isCountable(usage)
    ? { kind: 'priced', usd, model: pattern, table: policyTable }
    : { kind: 'unknown', table: policyTable };
}

function patternFor(prices: CustomPrices, { provider, model }: PricedCall): string | undefined {
  if (model === undefined) return undefined;
  return Object.keys(prices)
    .filter((pattern) => matchesModel(pattern, { provider, model }))
    .sort(
      (one, other) =>
        Number(one.includes('*')) - Number(other.includes('*')) || other.length - one.length || (one < other ? -1 : 1),
    )[0];
}

function usdOf(price: CustomPrice, usage: Usage): number {
  const read = price.cache_read ?? price.input;
  const write = price.cache_write ?? price.input;
  const writeLong = price.cache_write_1h ?? write;
  if ([price.input, price.output, read, write, writeLong].some((rate) => !(rate >= 0))) return Number.NaN;
  return (
    (usage.uncachedInput * price.input +
      usage.cacheRead * read +
      usage.cacheWrite5m * write +
      usage.cacheWrite1h * writeLong +
      usage.output * price.output) /
    1e6
  );
}

/** Package and version of the prices. A constant, because the package's own description is not in the bundle. */
export const priceTable = '@pydantic/genai-prices@0.1.8';

const unknown: Cost = { kind: 'unknown', table: priceTable };

/**
 * Returns the cost of a call, by the table's prices at its time and for the first tier of service. Does not distinguish
 * batches, priority and images. Returns `unknown` for models, providers and kinds of tokens that have no price in the
 * table, and for invalid usage. If the table has no separate prices, cache writes for an hour cost as much as cache
 * writes. Cache writes and reads then cost as much as input.
 */
export function customCost(usage: Usage, call: PricedCall): Cost {
  const name = call.model === undefined ? undefined : modelName(call.provider, call.model);
  // The package takes any name that contains `openai` or `google` for theirs. A policy's own `my-openai` is neither.
  if (name === undefined || !isCountable(usage) || findProvider({ providerId: call.provider })?.id !== call.provider)
    return unknown;
  const price = tryPrice(usage, name, call);
  if (
    price === undefined ||
    !isSameVersion(price.model.match, name) ||
    !covers(price, usage) ||
    !Number.isFinite(price.total_price)
  )
    return unknown;
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
 * The package counts a missing price as free. Free models have no price in it, but neither do some paid ones. So the
 * name itself must say that the model is free.
 */
function covers({ model, model_price: price }: PriceCalculation, usage: Usage): boolean {
  if (Object.keys(price).length === 0) return model.id.endsWith(':free');
  return (
    (inputTokens(usage) === 0 || price['input_mtok'] !== undefined) &&
    (usage.output === 0 || price['output_mtok'] !== undefined)
  );
}

/**
 * The next number of a version, but not a date: the second `-5` in `claude-sonnet-5-5`, compared with
 * `claude-sonnet-5`.
 */
const nextNumber = /^[-.]\d{1,2}(?!\d)(?!-\d{2,4}(?!\d))/u;

/**
 * Returns true if an entry of the table means exactly this model. The table's patterns are prefixes of names, so until
 * an update, a new version of a model would get the price of the previous one. An unknown price must not be taken for a
 * known one.
 */
function isSameVersion(match: MatchLogic, name: string): boolean {
  if (!matches(match, name, () => true)) return true;
  return matches(match, name, (rest) => !nextNumber.test(rest));
}

/** Matches like the package, but only if `may` accepts the text after the compared part. */
function matches(match: MatchLogic, name: string, may: (rest: string) => boolean): boolean {
  if ('or' in match) return match.or.some((one) => matches(one, name, may));
  if ('and' in match) return match.and.every((one) => matches(one, name, may));
  if ('equals' in match) return name === match.equals.toLowerCase();
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase());
  if ('regex' in match) return new RegExp(match.regex).test(name);
  const part = ('starts_with' in match ? match.starts_with : match.contains).toLowerCase();
  const at = name.indexOf(part);
  return ('starts_with' in match ? at === 0 : at >= 0) && may(name.slice(at + part.length));
}

/** Returns all input tokens, including those from and to caches. */
export function inputTokens(usage: Usage): number {
  return usage.uncachedInput + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

/** Only whole numbers have a price, because a server may report any number as usage. */
export function isCountable(usage: Usage): boolean {
  const counts = [
    usage.uncachedInput,
    usage.cacheRead,
    usage.cacheWrite5m,
    usage.cacheWrite1h,
    usage.output,
    usage.reasoning,
  ];
  return [...counts, inputTokens(usage)].every((count) => Number.isSafeInteger(count) && count >= 0);
}

/** Returns true if a pattern matches the text. `*` matches any number of characters. Ignores case. */
export function matchesGlob(pattern: string, text: string): boolean {
  return matchesStars(pattern.toLowerCase(), text.toLowerCase());
}

/**
 * Matches a model by its name in the request, or by its name in tables, alone or as `provider/name`. Text that cannot
 * be the name of a model matches nothing.
 */
export function matchesModel(
  pattern: string,
  { provider, model }: { readonly provider: string; readonly model: string },
): boolean {
  const name = modelName(provider, model);
  const names = name === undefined ? [] : [name];
  return [...names, ...(model.length > longestModelName ? [] : [model])].some(
    (one) => matchesGlob(pattern, one) || matchesGlob(pattern, `${provider}/${one}`),
  );
}

/**
 * No provider has longer names. The limit matters because an application can request any name, and each is compared
 * with hundreds of patterns.
 */
export const longestModelName = 256;

/**
 * Resources whose name contains the model. Application profiles, and provisioned or imported models, are billed
 * differently.
 */
const bedrockResource = /^arn:[a-z-]+:bedrock:[a-z0-9-]*:\d*:(?:inference-profile|foundation-model)\/([^/]+)$/u;
const googleResource = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?models\/([^/]+)$/u;

/**
 * Returns the name of a model in a price table, in lower case, without the prefixes of its provider's paths and ARNs.
 * Undefined for a text that cannot be a name.
 */
function modelName(provider: string, model: string): string | undefined {
  if (model.length > longestModelName) return undefined;
  const name = unescaped(model).trim().toLowerCase();
  if (name === '') return undefined;
  if (provider === 'google') return googleResource.exec(name)?.[1] ?? withoutSlash(name);
  if (provider === 'aws') return bedrockResource.exec(name)?.[1] ?? withoutSlash(name);
  return name;
}

/**
 * Other names of these providers are resources of another kind, such as tuned models. Their prices differ from those of
 * the model that the name contains.
 */
function withoutSlash(name: string): string | undefined {
  return name.includes('/') ? undefined : name;
}

/** Decodes Bedrock's names, because in paths their colon is `%3A`. */
function unescaped(model: string): string {
  if (!model.includes('%')) return model;
  try {
    return decodeURIComponent(model);
  } catch {
    return model;
  }
}
