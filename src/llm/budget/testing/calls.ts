import type { Cost } from '../../cost/custom-price.ts';
import type { CallRecord, Usage } from '../../types.ts';
import type { Budget, BudgetCall, BudgetOptions, SpentCall } from '../types.ts';

export const noon = new Date('2026-11-22T12:00:00Z');

/** `priced-…` models have a price, of a dollar a token. */
export const options: BudgetOptions = {
  session: 's-1',
  spent: [],
  now: noon,
  priceOf: (_, { model }): Cost =>
    model?.startsWith('priced') === true
      ? { kind: 'priced', usd: 1, model, table: 'test' }
      : { kind: 'unknown', table: 'test' },
};

export const call: BudgetCall = { provider: 'anthropic', operation: 'generate', model: 'priced-1' };

export function budget(kind: Budget['limit']['kind'], most: number, more: Partial<Budget> = {}): Budget {
  return { name: 'b', limit: { kind, most }, over: 'day', ...more };
}

export function usageOf(tokens: number): Usage {
  return { uncachedInput: tokens, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
}

export function spentCall(tokens: number, usd: number | null = null): SpentCall {
  return {
    usage: usageOf(tokens),
    cost: usd === null ? { kind: 'unknown', table: 'test' } : { kind: 'priced', usd, model: 'm', table: 'test' },
    status: 200,
  };
}

export function record(more: Partial<CallRecord> = {}): CallRecord {
  return {
    at: noon.toISOString(),
    session: 's-1',
    workspace: '/w',
    provider: 'anthropic',
    dialect: 'anthropic-messages',
    model: 'priced-1',
    usage: usageOf(10),
    usd: 1,
    table: 'test',
    completeness: 'complete',
    status: 200,
    milliseconds: 1,
    toolCalls: 0,
    ...more,
  };
}
