import type { CallRecord } from '../types.ts';
import { type Account, amountOf, openAccount, passedMark } from './account.ts';
import { addRecord } from './create-budgets.ts';
import type { Budget, BudgetState } from './types.ts';

export interface SpentOptions {
  /** Whose calls budgets of a session count. */
  readonly session: string;
  /** In any order. What is before the window of a budget does no harm. */
  readonly spent: readonly CallRecord[];
  readonly now: Date;
}

/** How far each budget is used by calls that are known, counted as `createBudgets` counts them. */
export function budgetStates(budgets: readonly Budget[], { session, spent, now }: SpentOptions): readonly BudgetState[] {
  const time = now.getTime();
  const accounts = budgets.map((budget) => openAccount(budget, time));
  for (const record of spent) addRecord(accounts, record, { session, now: time });
  return accounts.map(stateOf);
}

function stateOf(account: Account): BudgetState {
  const { budget, spent, most, untold, window } = account;
  return {
    budget,
    spent: amountOf(account, spent),
    most: amountOf(account, most),
    mark: spent >= most ? 100 : (passedMark(account) ?? 0),
    untold,
    ...(Number.isFinite(window.end) ? { until: new Date(window.end) } : {}),
  };
}
