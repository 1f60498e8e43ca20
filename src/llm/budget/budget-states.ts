import { longestModelName, matchesGlob, matchesModel } from '../cost/custom-price.ts';
import type { CallRecord, Usage } from '../types.ts';
import {
  type Account,
  amountOf,
  billionth,
  charge,
  isSpent,
  openAccount,
  passedMark,
  rollTo,
  spentRefusal,
  takeMark,
  type AccountedCall,
  tooMuchRefusal,
  unpricedRefusal,
  untoldRefusal,
  warningOf,
} from './account.ts';
import type {
  Budget,
  BudgetAnswer,
  BudgetCall,
  BudgetOptions,
  BudgetRefusal,
  Budgets,
  BudgetState,
  SpentCall,
} from './types.ts';

export interface SpentOptions {
  /** The session whose calls count for budgets of a session. */
  readonly session: string;
  /** In any order. Calls before the window of a budget are ignored. */
  readonly spent: readonly CallRecord[];
  readonly now: Date;
}

/** Returns the use of each budget by the known calls, counted as `createBudgets` counts. */
export function budgetStates(
  budgets: readonly Budget[],
  { session, spent, now }: SpentOptions,
): readonly BudgetState[] {
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

/** Creates budgets with the calls so far. Does not warn again about marks that were passed earlier. */
export function createBudgets(budgets: readonly Budget[], options: BudgetOptions): Budgets {
  const start = options.now.getTime();
  const counting: Counting = {
    accounts: budgets.map((budget) => openAccount(budget, start)),
    prices: rememberPrices(options),
    underWay: new Set(),
  };
  const { accounts, underWay } = counting;
  const add = (record: CallRecord, now: Date): void =>
    addRecord(accounts, record, { session: options.session, now: now.getTime() });
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
  /** Admitted calls that have not ended. */
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
  // Charges no budget before all have agreed.
  for (const account of held) if (account.budget.limit.kind === 'requests') charge(account, nothing);
  if (call.input !== undefined) counting.underWay.add(call);
  const warnings = held.flatMap((account) => {
    const mark = takeMark(account);
    return mark === undefined ? [] : [warningOf(account, mark)];
  });
  return { kind: 'go', warnings };
}

const nothing: AccountedCall = { usd: null, status: 0 };

function refusalOf(
  account: Account,
  call: BudgetCall,
  at: Counting & { readonly now: Date },
): BudgetRefusal | undefined {
  if (isSpent(account)) return spentRefusal(account);
  if (account.budget.limit.kind === 'usd' && !at.prices.isPriced(call, at.now)) return unpricedRefusal(account, call);
  const least = leastOf(account, call, at);
  if (least === 0) return undefined;
  const underWay = [...at.underWay].reduce(
    (sum, other) => sum + (applies(account.budget, other) ? leastOf(account, other, at) : 0),
    0,
  );
  return account.spent + underWay + least > account.most
    ? tooMuchRefusal(account, { call: least, underWay })
    : undefined;
}

function note(
  { accounts, prices, underWay }: Counting,
  call: BudgetCall,
  { spent, now }: { readonly spent: SpentCall; readonly now: Date },
): void {
  underWay.delete(call);
  if (!counts(call)) return;
  const told: AccountedCall = {
    usage: spent.usage,
    usd: spent.cost.kind === 'priced' ? spent.cost.usd : null,
    status: spent.status,
  };
  const answered: BudgetCall = spent.model === undefined ? call : { ...call, model: spent.model };
  for (const account of accounts) {
    if (
      account.budget.limit.kind === 'requests' ||
      !(applies(account.budget, call) || applies(account.budget, answered))
    )
      continue;
    rollTo(account, now.getTime());
    charge(account, { ...told, guessed: likelyCost(account, { ...call, said: spent.said ?? 0 }, { prices, now }) });
  }
}

function addRecord(
  accounts: readonly Account[],
  record: CallRecord,
  { session, now }: { readonly session: string; readonly now: number },
): void {
  const at = Date.parse(record.at);
  for (const account of accounts) {
    rollTo(account, now);
    const { budget, window } = account;
    // A call whose time is unreadable or in the future counts as a call of now.
    if (at < window.start || (budget.over === 'session' && record.session !== session) || !applies(budget, record))
      continue;
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

interface Estimating {
  readonly prices: Prices;
  readonly now: Date;
}

/**
 * Returns the minimum cost of a call, in units of the account. A token has at most eight bytes of text, and the whole
 * text may come from a cache.
 */
function leastOf({ budget }: Account, call: BudgetCall, { prices, now }: Estimating): number {
  const tokens = Math.floor((call.input ?? 0) / 2);
  if (budget.limit.kind === 'tokens') return tokens;
  return budget.limit.kind === 'usd' ? Math.floor(prices.usdOf(call, tokens, { as: 'cacheRead', now }) * billionth) : 0;
}

/** Returns the estimated cost of the input and of the output so far. */
function likelyCost(
  { budget }: Account,
  call: BudgetCall & Pick<SpentCall, 'said'>,
  { prices, now }: Estimating,
): number {
  const { input = 0, said = 0 } = call;
  if (budget.limit.kind === 'tokens') return input + said;
  const usd =
    budget.limit.kind === 'usd'
      ? prices.usdOf(call, input, { as: 'uncachedInput', now }) + prices.usdOf(call, said, { as: 'output', now })
      : 0;
  return Math.round(usd * billionth);
}

/** Prices of calls before their usage is known. */
interface Prices {
  isPriced(call: BudgetCall, now: Date): boolean;
  /** Returns US dollars for a number of tokens. 0 without a price. */
  usdOf(
    call: BudgetCall,
    tokens: number,
    priced: { readonly as: 'cacheRead' | 'uncachedInput' | 'output'; readonly now: Date },
  ): number;
}

/**
 * Caches prices, because a look-up in the table takes a third of a millisecond, which would delay the first byte. A
 * cached price never expires.
 */
function rememberPrices({ priceOf }: Pick<BudgetOptions, 'priceOf'>): Prices {
  const known = new Map<string, number>();
  const priceFor = ({ provider, model, operation }: BudgetCall, usage: Usage, now: Date): number | undefined => {
    const name = JSON.stringify([provider, model, operation, usage]);
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const cost = priceOf(usage, { provider, at: now, ...(model === undefined ? {} : { model }) });
    if (cost.kind === 'unknown') return undefined;
    if (known.size < mostRemembered) known.set(name, cost.usd);
    return cost.usd;
  };
  return {
    isPriced: (call, now) =>
      priceFor(
        call,
        call.operation === 'embed' ? { ...none, uncachedInput: 1 } : { ...none, uncachedInput: 1, output: 1 },
        now,
      ) !== undefined,
    usdOf: (call, tokens, { as, now }) =>
      tokens === 0 ? 0 : (tokens / thousand) * (priceFor(call, { ...none, [as]: thousand }, now) ?? 0),
  };
}

/** Bounded, because applications choose the names. */
const mostRemembered = 300;
const thousand = 1000;
const none: Usage = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
