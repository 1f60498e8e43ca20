import type { Usage } from '../types.ts';

/** What a price is looked up by. Prices change with time. */
export interface PricedCall {
  readonly provider: string;
  /** For a deployment at Azure: the model that the answer told, for anybody may call a deployment by any name. */
  readonly model?: string;
  readonly at: Date;
}

/** What a call came to. A price of 0 is a price; what is not known is never 0. */
export type Cost =
  /** `model` is the name of the entry in the table, or the pattern in the policy. `usd` is finite, and at least 0. */
  { readonly kind: 'priced'; readonly usd: number; readonly model: string; readonly table: string } | { readonly kind: 'unknown'; readonly table: string };

export type PriceOf = (usage: Usage, call: PricedCall) => Cost;

/** USD per million tokens. Tokens from and to a cache cost as input where nothing else is said; those kept for an hour as `cache_write`. */
export interface CustomPrice {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly cache_write_1h?: number;
}

/** By patterns of `model` or `provider/model`, where `*` stands for any characters. */
export type CustomPrices = Readonly<Record<string, CustomPrice>>;
