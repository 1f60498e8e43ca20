import type { Cost, PriceOf } from '../cost/custom-price.ts';
import type { CallRecord, ModelCall, Usage } from '../types.ts';

/** How much may be spent. Days and months are those of UTC. */
export interface Budget {
  readonly name: string;
  /** `tokens`: in and out, those of caches too. */
  readonly limit: { readonly kind: 'tokens' | 'usd' | 'requests'; readonly most: number };
  readonly over: 'session' | 'day' | 'month';
  /** By default all. With `*` for any characters. */
  readonly providers?: readonly string[];
  /** By default all; with `*`, as a name or as `provider/name`. A call that names no model counts for all of them. */
  readonly models?: readonly string[];
}

export type BudgetCall = Pick<ModelCall, 'provider' | 'operation' | 'model' | 'cost'> & {
  /** Tokens that its texts may have, by their length. */
  readonly input?: number;
};

/** What a call came to. Without usage where its answer told none. */
export interface SpentCall {
  readonly usage?: Usage;
  readonly cost: Cost;
  /** Of HTTP; 0 where no answer came. */
  readonly status: number;
  /** The model that the answer told. */
  readonly model?: string;
  /** Tokens of output that it has had at least: what an answer without usage counts as, beside its input. */
  readonly said?: number;
}

/** How far a budget is used. */
export interface BudgetState {
  readonly budget: Budget;
  /** In tokens, requests or dollars. */
  readonly spent: number;
  readonly most: number;
  /** The highest that is passed; 100: it is spent. */
  readonly mark: 0 | BudgetWarning['percent'] | 100;
  /** Calls that told nothing, each counted as the dearest one. */
  readonly untold: number;
  /** When the next day or month begins. */
  readonly until?: Date;
}

export interface BudgetWarning {
  readonly budget: string;
  readonly percent: 80 | 90 | 95;
  /** One line, to be read by an agent. */
  readonly message: string;
}

export interface BudgetRefusal {
  /** `unpriced`: money is counted and the model has no price, or nobody tells what the call comes to. */
  readonly kind: 'spent' | 'unpriced';
  readonly budget: string;
  readonly message: string;
  readonly remedy: string;
  /** When the next day or month begins, where that helps. */
  readonly until?: Date;
}

export type BudgetAnswer = { readonly kind: 'go'; readonly warnings: readonly BudgetWarning[] } | BudgetRefusal;

export interface BudgetOptions {
  readonly session: string;
  /** What the journal holds already, in any order. What is before the window of a budget does no harm. */
  readonly spent: readonly CallRecord[];
  /** At this time no record is in the future. */
  readonly now: Date;
  /** Tells which models have a price. */
  readonly priceOf: PriceOf;
}

/**
 * Counts what is spent. A request counts when it is admitted, also if it then fails; tokens and money count when they
 * are noted, in the window of that time. Of calls that are under way the least that they may cost is held back: half of
 * what their input is taken for, at the price of a cache. So a budget of tokens or money may be overshot by what those
 * calls cost that were under way when it was reached, and by no more. A call that is more than what is left by that
 * measure alone is refused.
 *
 * An answer that told no usage, as that of a stream which was broken off, counts as much as its input and what it said
 * are taken for, or as the dearest call so far, whichever is more: breaking off must not make calls free. A clock that
 * goes back opens no old day again.
 */
export interface Budgets {
  /**
   * Counting of tokens, lists of models and the like are never refused; what begins work that nobody counts is, by any
   * budget that holds for it.
   */
  admit(call: BudgetCall, now: Date): BudgetAnswer;
  /** Once for each call that was admitted: the object that was. */
  note(call: BudgetCall, spent: SpentCall, now: Date): void;
  /** Instead of `note`, for one that was not made after all. */
  release(call: BudgetCall): void;
  /** A call of another session, for days and months that sessions share. */
  add(record: CallRecord, now: Date): void;
}
