import type { Cost, PriceOf } from '../cost/custom-price.ts';
import type { CallRecord, ModelCall, Usage } from '../types.ts';

/** A limit on spending. Days and months are in UTC. */
export interface Budget {
  readonly name: string;
  /** `tokens`: input and output, including cached tokens. */
  readonly limit: { readonly kind: 'tokens' | 'usd' | 'requests'; readonly most: number };
  readonly over: 'session' | 'day' | 'month';
  /** Default: all. With `*` for any characters. */
  readonly providers?: readonly string[];
  /** Default: all. With `*`, as a name or as `provider/name`. A call without a model counts for all of them. */
  readonly models?: readonly string[];
}

export type BudgetCall = Pick<ModelCall, 'provider' | 'operation' | 'model' | 'cost'> & {
  /** Estimated tokens of its texts, by their length. */
  readonly input?: number;
};

/** Result of a call. Without usage if its answer gave none. */
export interface SpentCall {
  readonly usage?: Usage;
  readonly cost: Cost;
  /** HTTP status. 0 without an answer. */
  readonly status: number;
  /** Model that the answer names. */
  readonly model?: string;
  /** Tokens of output so far, at least. With the input, they are the count of an answer without usage. */
  readonly said?: number;
}

/** Use of a budget. */
export interface BudgetState {
  readonly budget: Budget;
  /** In tokens, requests or dollars. */
  readonly spent: number;
  readonly most: number;
  /** Highest mark passed. 100: the budget is spent. */
  readonly mark: 0 | BudgetWarning['percent'] | 100;
  /** Calls without usage, each counted as the dearest one. */
  readonly untold: number;
  /** Beginning of the next day or month. */
  readonly until?: Date;
}

export interface BudgetWarning {
  readonly budget: string;
  readonly percent: 80 | 90 | 95;
  /** One line, for an agent. */
  readonly message: string;
}

export interface BudgetRefusal {
  /** `unpriced`: the budget counts money and the model has no price, or no answer gives the usage of the call. */
  readonly kind: 'spent' | 'unpriced';
  readonly budget: string;
  readonly message: string;
  readonly remedy: string;
  /** Beginning of the next day or month, if that helps. */
  readonly until?: Date;
}

export type BudgetAnswer = { readonly kind: 'go'; readonly warnings: readonly BudgetWarning[] } | BudgetRefusal;

export interface BudgetOptions {
  readonly session: string;
  /** Calls in the journal, in any order. Calls before the window of a budget do no harm. */
  readonly spent: readonly CallRecord[];
  /** Records with a later time count as of this time. */
  readonly now: Date;
  /** Tells which models have a price. */
  readonly priceOf: PriceOf;
}

/**
 * Counts spending. A request counts when it is admitted, even if it then fails. Tokens and money count when they are
 * noted, in the window of that time. For calls under way it reserves the least that they may cost: half of their
 * estimated input, at the price of a cache. Calls that were under way when a budget of tokens or money was reached may
 * exceed it. Nothing else does. A call that exceeds the rest by that measure alone is refused.
 *
 * An answer without usage, such as a broken stream, counts as its estimated input and output. If the dearest call so
 * far was more, it counts as that. Breaking off must not make calls free. A clock that goes back opens no old day
 * again.
 */
export interface Budgets {
  /**
   * Never refuses counting of tokens, lists of models and the like. Any budget that applies refuses work whose cost
   * nobody reports.
   */
  admit(call: BudgetCall, now: Date): BudgetAnswer;
  /** Call it once for each admitted call, with the same object. */
  note(call: BudgetCall, spent: SpentCall, now: Date): void;
  /** Call it instead of `note` for a call that was not made after all. */
  release(call: BudgetCall): void;
  /** Adds a call of another session, for days and months that sessions share. */
  add(record: CallRecord, now: Date): void;
}
