import { isHoldfastError } from '../../errors/index.ts';
import { type Budget, type BudgetState, budgetStates, type CallRecord } from '../../llm/index.ts';
import type { LlmSettings } from '../../policy/llm/types.ts';
import { shownOnPage, shownLines } from '../feed/network-tally.ts';
import { hourLength, type Hours, spanOf } from './hours.ts';
import type { BudgetLine, BudgetLines } from './types.ts';

/** Settings of the current policy. Rejects if the policy cannot be read. */
export type ReadSettings = () => Promise<Pick<LlmSettings, 'budgets'>>;

/** Returns the use of budgets: once for days and months, and for each of the last sessions that called a model. */
export async function budgetLines(read: ReadSettings, calls: Hours<CallRecord>, now: number): Promise<BudgetLines> {
  try {
    const budgets = (await read()).budgets.map(withoutEmpty);
    const [ofSessions, shared] = [
      budgets.filter(({ over }) => over === 'session'),
      budgets.filter(({ over }) => over !== 'session'),
    ];
    const first = spanOf(shared.some(({ over }) => over === 'month') ? 'month' : 'today', now).starts[0];
    const at = { now: new Date(now) };
    const lines =
      shared.length === 0
        ? []
        : budgetStates(shared, { ...at, session: '', spent: calls.itemsSince(first ?? now) }).map((state) =>
            lineOf(state),
          );
    return {
      kind: 'known',
      lines: [...lines, ...(ofSessions.length === 0 ? [] : sessionLines(ofSessions, calls, at))],
    };
  } catch (error) {
    return {
      kind: 'unknown',
      message: shownLines(error instanceof Error ? error.message : String(error)),
      remedy: isHoldfastError(error) ? shownLines(error.remedy) : '',
    };
  }
}

function sessionLines(
  budgets: readonly Budget[],
  calls: Hours<CallRecord>,
  { now }: { readonly now: Date },
): readonly BudgetLine[] {
  const all = calls.itemsSince(Number.NEGATIVE_INFINITY);
  const recent = calls.itemsSince(now.getTime() - (now.getTime() % hourLength) - 24 * hourLength);
  return lastSessions(recent).flatMap((session) =>
    budgetStates(budgets, { session, now, spent: all.filter((record) => record.session === session) }).map((state) =>
      lineOf(state, session),
    ),
  );
}

const mostSessions = 3;

/** An empty list in a policy means all. */
function withoutEmpty({ providers, models, ...budget }: LlmSettings['budgets'][number]): Budget {
  return { ...budget, ...(providers.length === 0 ? {} : { providers }), ...(models.length === 0 ? {} : { models }) };
}

function lastSessions(records: readonly CallRecord[]): readonly string[] {
  const last = new Map<string, string>();
  for (const { session, at } of records) if (at > (last.get(session) ?? '')) last.set(session, at);
  return [...last]
    .toSorted(([, a], [, b]) => (a < b ? 1 : -1))
    .slice(0, mostSessions)
    .map(([session]) => session);
}

function lineOf(
  { budget: { name, over, limit }, spent, most, mark, untold, until }: BudgetState,
  session?: string,
): BudgetLine {
  return {
    name: shownOnPage(name, 80),
    over,
    unit: limit.kind === 'usd' ? 'USD' : limit.kind,
    spent,
    most,
    mark,
    untold,
    ...(session === undefined ? {} : { session: shownOnPage(session, 80) }),
    ...(until === undefined ? {} : { until: until.toISOString() }),
  };
}
