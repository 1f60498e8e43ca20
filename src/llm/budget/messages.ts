import { escapeHidden } from '../../text/index.ts';
import { type Account, amountOf } from './account.ts';
import type { BudgetCall, BudgetRefusal, BudgetWarning } from './types.ts';

export function warningOf(account: Account, percent: BudgetWarning['percent']): BudgetWarning {
  const { budget } = account;
  const message = `Budget ${quoted(budget.name)}: ${amount(account, account.spent)} of ${amount(account, account.most)} ${span[budget.over]} are used, at least ${percent} %. Do what matters most first and keep calls small: when it is spent, calls are refused.`;
  return { budget: budget.name, percent, message };
}

export function spentRefusal(account: Account): BudgetRefusal {
  const { budget, untold, window } = account;
  const guessed =
    untold === 0 ? '' : ` ${untold} of these calls did not tell their usage, and count as much as the dearest one.`;
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
    remedy: `stop here and tell the user: it begins anew at ${until.toISOString().slice(0, 16)} UTC, or with a higher limit in the policy`,
    until,
  };
}

/** In units: what the call costs itself at least, and what is held back for others. */
export function tooMuchRefusal(
  account: Account,
  { call, underWay }: { readonly call: number; readonly underWay: number },
): BudgetRefusal {
  const { budget } = account;
  const held = underWay === 0 ? '' : `, and ${amount(account, underWay)} are held back for calls under way`;
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
  const remedy = `use a model with a price, or ask the user to name its price under [[llm.prices]] in the policy or to count tokens instead of USD`;
  return {
    kind: 'unpriced',
    budget: budget.name,
    message: `${named} has no price, so that budget ${quoted(budget.name)}, which is in USD, cannot count it.`,
    remedy,
  };
}

export function untoldRefusal({ budget }: Account, { provider }: BudgetCall): BudgetRefusal {
  const remedy = 'make calls that are answered at once, or ask the user to take the budget away from this provider';
  return {
    kind: 'unpriced',
    budget: budget.name,
    message: `What ${quoted(provider)} does for this request later, or in pieces, is told in no answer, so that budget ${quoted(budget.name)} cannot count it.`,
    remedy,
  };
}

const span = { session: 'in this session', day: 'today (UTC)', month: 'this month (UTC)' } as const;

/** With as many places as a small limit needs to be told from 0. */
function amount(account: Account, units: number): string {
  const { kind } = account.budget.limit;
  if (kind !== 'usd') return `${units} ${kind}`;
  return `${amountOf(account, units).toFixed(account.most < 1e9 ? 6 : 2)} USD`;
}

/** Names of models come from applications, and the message goes to logs, screens and models. */
function quoted(name: string): string {
  return `"${escapeHidden(name.length > 80 ? `${name.slice(0, 80)}…` : name).replaceAll('"', "'")}"`;
}
