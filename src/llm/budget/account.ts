import { escapeHidden } from '../../text/index.ts';
import { inputTokens, isCountable } from '../cost/custom-price.ts';
import type { Usage } from '../types.ts';
import type { Budget, BudgetCall, BudgetRefusal, BudgetWarning } from './types.ts';

/** State of one budget, in whole units: tokens, requests, or billionths of a dollar, so that sums do not drift. */
export interface Account {
  readonly budget: Budget;
  readonly most: number;
  window: Window;
  spent: number;
  /** The dearest call, in this window or an earlier one. */
  dearest: number;
  /** Calls whose answers report no usage. */
  untold: number;
  warned: number;
}

export interface AccountedCall {
  readonly usage?: Usage | undefined;
  readonly usd: number | null;
  readonly status: number;
  /** Estimated cost, for an answer that reports none. */
  readonly guessed?: number;
}

export const billionth = 1e9;

export function openAccount(budget: Budget, now: number): Account {
  const { kind, most } = budget.limit;
  // If the limit is not a number, no call passes.
  const units = most > 0 ? Math.round(kind === 'usd' ? most * billionth : most) : 0;
  return { budget, most: units, window: windowAt(budget.over, now), spent: 0, dearest: 0, untold: 0, warned: 0 };
}

/** Starts the window of `now`, if it is later than the current one. */
export function rollTo(account: Account, now: number): void {
  if (!(now >= account.window.end)) return;
  Object.assign(account, { window: windowAt(account.budget.over, now), spent: 0, untold: 0, warned: 0 });
}

export function charge(account: Account, told: AccountedCall): void {
  const amount = unitsOf(account.budget.limit.kind, told);
  if (amount === undefined) account.untold += 1;
  account.spent += amount ?? Math.max(account.dearest, told.guessed ?? 0);
  account.dearest = Math.max(account.dearest, amount ?? 0);
}

/**
 * Undefined if the cost is unknown. A call that failed without usage cost nothing. If the client left before the answer
 * began, the server may still have done the work.
 */
function unitsOf(kind: Budget['limit']['kind'], { usage, usd, status }: AccountedCall): number | undefined {
  if (kind === 'requests') return 1;
  if (usage === undefined) return status === 0 || (status >= 200 && status < 400) ? undefined : 0;
  if (!isCountable(usage)) return undefined;
  if (kind === 'tokens') return inputTokens(usage) + usage.output;
  return usd !== null && usd >= 0 && Number.isFinite(usd) ? Math.round(usd * billionth) : undefined;
}

export function isSpent({ spent, most }: Account): boolean {
  return spent >= most;
}

/** Returns the highest mark that was passed since the last warning. Each mark is returned once in a window. */
export function takeMark(account: Account): BudgetWarning['percent'] | undefined {
  const mark = passedMark(account);
  if (mark === undefined || mark <= account.warned) return undefined;
  account.warned = mark;
  return mark;
}

/** Returns the highest mark that was passed. */
export function passedMark({ spent, most }: Account): BudgetWarning['percent'] | undefined {
  return ([95, 90, 80] as const).find((percent) => spent * 100 >= most * percent);
}

/** In tokens, requests or dollars. */
export function amountOf({ budget }: Account, units: number): number {
  return budget.limit.kind === 'usd' ? units / billionth : units;
}

/** Time span of a budget, from its beginning to just before `end`. */
interface Window {
  readonly start: number;
  /** Infinite for a budget of a session. */
  readonly end: number;
}

/** Milliseconds since 1970. In UTC a day has 24 hours, because POSIX clocks do not count leap seconds. */
function windowAt(over: Budget['over'], now: number): Window {
  const date = new Date(now);
  switch (over) {
    case 'session':
      return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
    case 'day': {
      const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
      return { start, end: start + 86_400_000 };
    }
    case 'month':
      return {
        start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
        end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
      };
  }
}

export function warningOf(account: Account, percent: BudgetWarning['percent']): BudgetWarning {
  const { budget } = account;
  const message = `Budget ${quoted(budget.name)}: ${amount(account, account.spent)} of ${amount(account, account.most)} ${span[budget.over]} are used, at least ${percent} %. Do the most important work first and keep calls small: when it is spent, calls are refused.`;
  return { budget: budget.name, percent, message };
}

export function spentRefusal(account: Account): BudgetRefusal {
  const { budget, untold, window } = account;
  const guessed =
    untold === 0 ? '' : ` ${untold} of these calls did not report their usage, and count as much as the dearest one.`;
  const message = `Budget ${quoted(budget.name)} is spent: ${amount(account, account.spent)} of ${amount(account, account.most)} ${span[budget.over]}.${guessed}`;
  if (budget.over === 'session')
    return {
      kind: 'spent',
      budget: budget.name,
      message,
      remedy: `stop here and tell the user: a higher limit in the policy or a new session goes on`,
    };
  const until = new Date(window.end);
  return {
    kind: 'spent',
    budget: budget.name,
    message,
    remedy: `stop here and tell the user: it begins again at ${until.toISOString().slice(0, 16)} UTC, or with a higher limit in the policy`,
    until,
  };
}

/** Amounts in units: the minimum cost of the call, and the amount reserved for other calls. */
export function tooMuchRefusal(
  account: Account,
  { call, underWay }: { readonly call: number; readonly underWay: number },
): BudgetRefusal {
  const { budget } = account;
  const held = underWay === 0 ? '' : `, and ${amount(account, underWay)} are reserved for calls in progress`;
  const message = `The call costs at least ${amount(account, call)}, which is more than budget ${quoted(budget.name)} has left: ${amount(account, account.spent)} of ${amount(account, account.most)} ${span[budget.over]} are used${held}.`;
  return {
    kind: 'spent',
    budget: budget.name,
    message,
    remedy: `make the call smaller${underWay === 0 ? '' : ', wait for the others'}, or tell the user: a higher limit in the policy goes on`,
  };
}

export function unpricedRefusal({ budget }: Account, { provider, model }: BudgetCall): BudgetRefusal {
  const named =
    model === undefined
      ? `A call to ${quoted(provider)} that names no model`
      : `The model ${quoted(model)} of ${quoted(provider)}`;
  const remedy = `use a model with a price, or ask the user to add its price to [[llm.prices]] of the policy, or to budget tokens`;
  return {
    kind: 'unpriced',
    budget: budget.name,
    message: `${named} has no price, so budget ${quoted(budget.name)}, which is in USD, cannot count it.`,
    remedy,
  };
}

export function untoldRefusal({ budget }: Account, { provider }: BudgetCall): BudgetRefusal {
  const remedy = 'make calls that are answered at once, or ask the user to exclude this provider from the budget';
  return {
    kind: 'unpriced',
    budget: budget.name,
    message: `${quoted(provider)} never reports the usage of deferred or partial work for this request, so budget ${quoted(budget.name)} cannot count it.`,
    remedy,
  };
}

const span = { session: 'in this session', day: 'today (UTC)', month: 'this month (UTC)' } as const;

/** Shows enough decimals to distinguish a small limit from 0. */
function amount(account: Account, units: number): string {
  const { kind } = account.budget.limit;
  if (kind !== 'usd') return `${units} ${kind}`;
  return `${amountOf(account, units).toFixed(account.most < 1e9 ? 6 : 2)} USD`;
}

/** Names of models come from applications, and the message is shown in logs, on screens and to models. */
function quoted(name: string): string {
  return `"${escapeHidden(name.length > 80 ? `${name.slice(0, 80)}…` : name).replaceAll('"', "'")}"`;
}
