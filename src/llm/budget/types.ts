import type { Cost, PriceOf } from '../cost/custom-price.ts';
import type { CallRecord, ModelCall, Usage } from '../types.ts';

/** A limit on spending. Days and months are in UTC. */
export interface Budget {
  readonly name: string;
  /** `tokens`: input and output tokens, including cached ones. */
  readonly limit: { readonly kind: 'tokens' | 'usd' | 'requests'; readonly most: number };
  readonly over: 'session' | 'day' | 'month';
  /** Patterns in which `*` matches any characters. Default: all. */
  readonly providers?: readonly string[];
  /**
   * Patterns with `*`, as a name or as `provider/name`. A call that names no model counts for all patterns. Default:
   * all.
   */
  readonly models?: readonly string[];
}

export type BudgetCall = Pick<ModelCall, 'provider' | 'operation' | 'model' | 'cost'> & {
  /** Estimated tokens of its texts, by their length. */
  readonly input?: number;
};

/** Result of a call. It has no usage if the answer reported none. */
export interface SpentCall {
  readonly usage?: Usage;
  readonly cost: Cost;
  /** HTTP status. 0 if there was no answer. */
  readonly status: number;
  /** The model that the answer names. */
  readonly model?: string;
  /** Output tokens so far, at least. Together with the input, they are the count for an answer without usage. */
  readonly said?: number;
}

/** Use of a budget. */
export interface BudgetState {
  readonly budget: Budget;
  /** In tokens, requests or dollars. */
  readonly spent: number;
  readonly most: number;
  /** Highest mark that was passed. 100 means that the budget is spent. */
  readonly mark: 0 | BudgetWarning['percent'] | 100;
  /** Calls without usage. Each counts as the dearest call. */
  readonly untold: number;
  /** Beginning of the next day or month. */
  readonly until?: Date;
}

export interface BudgetWarning {
  readonly budget: string;
  readonly percent: 80 | 90 | 95;
  /** One line, written for an agent. */
  readonly message: string;
}

export interface BudgetRefusal {
  /**
   * `unpriced`: the budget counts money, and either the model has no price or no answer reports the usage of the call.
   */
  readonly kind: 'spent' | 'unpriced';
  readonly budget: string;
  readonly message: string;
  readonly remedy: string;
  /** Beginning of the next day or month, if waiting for it helps. */
  readonly until?: Date;
}

export type BudgetAnswer = { readonly kind: 'go'; readonly warnings: readonly BudgetWarning[] } | BudgetRefusal;

export interface BudgetOptions {
  readonly session: string;
  /** Calls in the journal, in any order. Calls before the window of a budget are ignored. */
  readonly spent: readonly CallRecord[];
  /** Records with a later time count as of this time. */
  readonly now: Date;
  /** Returns the prices of models. */
  readonly priceOf: PriceOf;
}

/**
 * Counts spending. A request counts when it is admitted, even if it then fails. Tokens and money count when they are
 * noted, in the window of that time. For calls in progress, the minimum that they may cost is reserved: half of their
 * estimated input, at the price of a cache. A call whose minimum exceeds the remaining budget is refused. Only calls
 * that are in progress when a budget of tokens or money is reached may exceed it.
 *
 * An answer without usage, such as a broken stream, counts as its estimated input and output. If the dearest call so
 * far cost more, it counts as that call. Otherwise breaking off would make calls free. If the clock is set back, an
 * earlier day does not begin again.
 */
export interface Budgets {
  /**
   * Never refuses calls that count tokens, list models and the like. Any budget that applies refuses work whose cost is
   * never reported.
   */
  admit(call: BudgetCall, now: Date): BudgetAnswer;
  /** Call this once for each admitted call, with the same object. */
  note(call: BudgetCall, spent: SpentCall, now: Date): void;
  /** Call this instead of `note` for a call that was admitted but not made. */
  release(call: BudgetCall): void;
  /** Adds a call of another session, because sessions share days and months. */
  add(record: CallRecord, now: Date): void;
}
