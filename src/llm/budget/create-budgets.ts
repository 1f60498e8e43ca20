import { longestModelName, matchesGlob, matchesModel } from '../cost/index.ts';
import type { CallRecord } from '../types.ts';
import { type Account, charge, isSpent, openAccount, rollTo, takeMark, type Told } from './account.ts';
import { likelyCost, leastOf } from './estimate.ts';
import { spentRefusal, tooMuchRefusal, unpricedRefusal, untoldRefusal, warningOf } from './messages.ts';
import { type Prices, rememberPrices } from './prices.ts';
import type { Budget, BudgetAnswer, BudgetCall, BudgetOptions, BudgetRefusal, Budgets, SpentCall } from './types.ts';

/** Budgets with what was spent of them so far. Marks that were passed already are not warned of again. */
export function createBudgets(budgets: readonly Budget[], options: BudgetOptions): Budgets {
  const start = options.now.getTime();
  const counting: Counting = { accounts: budgets.map((budget) => openAccount(budget, start)), prices: rememberPrices(options), underWay: new Set() };
  const { accounts, underWay } = counting;
  const add = (record: CallRecord, now: Date): void => addRecord(accounts, record, { session: options.session, now: now.getTime() });
  for (const record of options.spent) add(record, options.now);
  for (const account of accounts) takeMark(account);
  return {
    admit: (call, now) => admit(counting, call, now),
    note: (call, spent, now) => note(counting, call, { spent, now }),
    release: (call) => void underWay.delete(call),
    add,
  };
}

interface Counting {
  readonly accounts: readonly Account[];
  readonly prices: Prices;
  /** Calls that were admitted and have not ended. */
  readonly underWay: Set<BudgetCall>;
}

function admit(counting: Counting, call: BudgetCall, now: Date): BudgetAnswer {
  const held = counting.accounts.filter(({ budget }) => applies(budget, call));
  const [first] = held;
  if (call.cost === 'untold' && first !== undefined) return untoldRefusal(first, call);
  if (!counts(call)) return { kind: 'go', warnings: [] };
  for (const account of held) rollTo(account, now.getTime());
  for (const account of held) {
    const refusal = refusalOf(account, call, { ...counting, now });
    if (refusal !== undefined) return refusal;
  }
  // None is charged before all have agreed.
  for (const account of held) if (account.budget.limit.kind === 'requests') charge(account, nothing);
  if (call.input !== undefined) counting.underWay.add(call);
  const warnings = held.flatMap((account) => {
    const mark = takeMark(account);
    return mark === undefined ? [] : [warningOf(account, mark)];
  });
  return { kind: 'go', warnings };
}

const nothing: Told = { usd: null, status: 0 };

function refusalOf(account: Account, call: BudgetCall, at: Counting & { readonly now: Date }): BudgetRefusal | undefined {
  if (isSpent(account)) return spentRefusal(account);
  if (account.budget.limit.kind === 'usd' && !at.prices.isPriced(call, at.now)) return unpricedRefusal(account, call);
  const least = leastOf(account, call, at);
  if (least === 0) return undefined;
  const underWay = [...at.underWay].reduce((sum, other) => sum + (applies(account.budget, other) ? leastOf(account, other, at) : 0), 0);
  return account.spent + underWay + least > account.most ? tooMuchRefusal(account, { call: least, underWay }) : undefined;
}

function note({ accounts, prices, underWay }: Counting, call: BudgetCall, { spent, now }: { readonly spent: SpentCall; readonly now: Date }): void {
  underWay.delete(call);
  if (!counts(call)) return;
  const told: Told = { usage: spent.usage, usd: spent.cost.kind === 'priced' ? spent.cost.usd : null, status: spent.status };
  const answered: BudgetCall = spent.model === undefined ? call : { ...call, model: spent.model };
  for (const account of accounts) {
    if (account.budget.limit.kind === 'requests' || !(applies(account.budget, call) || applies(account.budget, answered))) continue;
    rollTo(account, now.getTime());
    charge(account, { ...told, guessed: likelyCost(account, { ...call, said: spent.said ?? 0 }, { prices, now }) });
  }
}

export function addRecord(accounts: readonly Account[], record: CallRecord, { session, now }: { readonly session: string; readonly now: number }): void {
  const at = Date.parse(record.at);
  for (const account of accounts) {
    rollTo(account, now);
    const { budget, window } = account;
    // One whose time cannot be read, or is still to come, is taken for one of now.
    if (at < window.start || (budget.over === 'session' && record.session !== session) || !applies(budget, record)) continue;
    charge(account, record);
  }
}

function counts({ operation }: BudgetCall): boolean {
  return operation === 'generate' || operation === 'embed';
}

function applies({ providers, models }: Budget, { provider, model }: Pick<BudgetCall, 'provider' | 'model'>): boolean {
  if (providers !== undefined && !providers.some((pattern) => matchesGlob(pattern, provider))) return false;
  if (models === undefined || model === undefined || model.length > longestModelName) return true;
  return models.some((pattern) => matchesModel(pattern, { provider, model }));
}
