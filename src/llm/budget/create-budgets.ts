import { longestModelName, matchesGlob, matchesModel } from '../cost/index.ts';
import type { CallRecord, Usage } from '../types.ts';
import { type Account, charge, isSpent, openAccount, rollTo, takeMark, type Told } from './account.ts';
import { spentRefusal, unpricedRefusal, warningOf } from './messages.ts';
import type { Budget, BudgetAnswer, BudgetCall, BudgetOptions, BudgetRefusal, Budgets, SpentCall } from './types.ts';

/** Budgets with what was spent of them so far. Marks that were passed already are not warned of again. */
export function createBudgets(budgets: readonly Budget[], options: BudgetOptions): Budgets {
  const start = options.now.getTime();
  const isPriced = rememberPriced(options);
  const accounts = budgets.map((budget) => openAccount(budget, start));
  const add = (record: CallRecord, now: Date): void => addRecord(accounts, record, { session: options.session, now: now.getTime() });
  for (const record of options.spent) add(record, options.now);
  for (const account of accounts) takeMark(account);
  return {
    admit: (call, now) => admit(accounts, call, { now, isPriced }),
    note: (call, spent, now) => note(accounts, call, { spent, now: now.getTime() }),
    add,
  };
}

function admit(accounts: readonly Account[], call: BudgetCall, { now, isPriced }: Admission): BudgetAnswer {
  if (!counts(call)) return { kind: 'go', warnings: [] };
  const held = accounts.filter(({ budget }) => applies(budget, call));
  for (const account of held) rollTo(account, now.getTime());
  for (const account of held) {
    const refusal = refusalOf(account, call, { now, isPriced });
    if (refusal !== undefined) return refusal;
  }
  // None is charged before all have agreed.
  for (const account of held) if (account.budget.limit.kind === 'requests') charge(account, nothing);
  const warnings = held.flatMap((account) => {
    const mark = takeMark(account);
    return mark === undefined ? [] : [warningOf(account, mark)];
  });
  return { kind: 'go', warnings };
}

const nothing: Told = { usd: null, status: 0 };

function refusalOf(account: Account, call: BudgetCall, { now, isPriced }: Admission): BudgetRefusal | undefined {
  if (isSpent(account)) return spentRefusal(account);
  return account.budget.limit.kind === 'usd' && !isPriced(call, now) ? unpricedRefusal(account, call) : undefined;
}

interface Admission {
  readonly now: Date;
  readonly isPriced: (call: BudgetCall, now: Date) => boolean;
}

/** To look into the table takes a third of a millisecond, in the way of the first byte. A model that has a price keeps one. */
function rememberPriced({ priceOf }: BudgetOptions): Admission['isPriced'] {
  const priced = new Set<string>();
  return ({ provider, model, operation }, at) => {
    const name = JSON.stringify([provider, model, operation]);
    if (priced.has(name)) return true;
    const cost = priceOf(operation === 'embed' ? oneIn : oneEach, { provider, at, ...(model === undefined ? {} : { model }) });
    if (cost.kind === 'unknown') return false;
    if (priced.size < mostRemembered) priced.add(name);
    return true;
  };
}

/** Applications choose the names. */
const mostRemembered = 100;

const oneIn: Usage = { uncachedInput: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
const oneEach: Usage = { ...oneIn, output: 1 };

function note(accounts: readonly Account[], call: BudgetCall, { spent, now }: { readonly spent: SpentCall; readonly now: number }): void {
  if (!counts(call)) return;
  const told: Told = { usage: spent.usage, usd: spent.cost.kind === 'priced' ? spent.cost.usd : null, status: spent.status };
  const answered: BudgetCall = spent.model === undefined ? call : { ...call, model: spent.model };
  for (const account of accounts) {
    if (account.budget.limit.kind === 'requests' || !(applies(account.budget, call) || applies(account.budget, answered))) continue;
    rollTo(account, now);
    charge(account, told);
  }
}

function addRecord(accounts: readonly Account[], record: CallRecord, { session, now }: { readonly session: string; readonly now: number }): void {
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
