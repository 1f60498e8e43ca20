import { inputTokens, isCountable } from '../cost/usage.ts';
import type { Usage } from '../types.ts';
import type { Budget, BudgetWarning } from './types.ts';

/** What one budget holds, in whole units: tokens, requests or billionths of a dollar, whose sums do not drift. */
export interface Account {
  readonly budget: Budget;
  readonly most: number;
  window: Window;
  spent: number;
  /** Of one call, in this window or before. */
  dearest: number;
  /** Calls that told nothing. */
  untold: number;
  warned: number;
}

export interface Told {
  readonly usage?: Usage | undefined;
  readonly usd: number | null;
  readonly status: number;
  /** What it is likely to have cost, where its answer does not tell. */
  readonly guessed?: number;
}

export const billionth = 1e9;

export function openAccount(budget: Budget, now: number): Account {
  const { kind, most } = budget.limit;
  // A limit that is no number lets nothing through.
  const units = most > 0 ? Math.round(kind === 'usd' ? most * billionth : most) : 0;
  return { budget, most: units, window: windowAt(budget.over, now), spent: 0, dearest: 0, untold: 0, warned: 0 };
}

/** Begins the window of `now`, where that is a later one. */
export function rollTo(account: Account, now: number): void {
  if (!(now >= account.window.end)) return;
  Object.assign(account, { window: windowAt(account.budget.over, now), spent: 0, untold: 0, warned: 0 });
}

export function charge(account: Account, told: Told): void {
  const amount = unitsOf(account.budget.limit.kind, told);
  if (amount === undefined) account.untold += 1;
  account.spent += amount ?? Math.max(account.dearest, told.guessed ?? 0);
  account.dearest = Math.max(account.dearest, amount ?? 0);
}

/**
 * Undefined where it is not known. What failed without usage cost nothing; who left before the answer began may have
 * been served.
 */
function unitsOf(kind: Budget['limit']['kind'], { usage, usd, status }: Told): number | undefined {
  if (kind === 'requests') return 1;
  if (usage === undefined) return status === 0 || (status >= 200 && status < 400) ? undefined : 0;
  if (!isCountable(usage)) return undefined;
  if (kind === 'tokens') return inputTokens(usage) + usage.output;
  return usd !== null && usd >= 0 && Number.isFinite(usd) ? Math.round(usd * billionth) : undefined;
}

export function isSpent({ spent, most }: Account): boolean {
  return spent >= most;
}

/** The highest of the marks that were passed since the last one, once in a window. */
export function takeMark(account: Account): BudgetWarning['percent'] | undefined {
  const mark = passedMark(account);
  if (mark === undefined || mark <= account.warned) return undefined;
  account.warned = mark;
  return mark;
}

/** The highest that is passed. */
export function passedMark({ spent, most }: Account): BudgetWarning['percent'] | undefined {
  return ([95, 90, 80] as const).find((percent) => spent * 100 >= most * percent);
}

/** In tokens, requests or dollars. */
export function amountOf({ budget }: Account, units: number): number {
  return budget.limit.kind === 'usd' ? units / billionth : units;
}

/** A stretch of time that a budget is for, from its beginning to just before `end`. */
interface Window {
  readonly start: number;
  /** Infinite for a session. */
  readonly end: number;
}

/** Milliseconds since 1970. A day has 24 hours in UTC; leap seconds are not counted by POSIX clocks. */
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
