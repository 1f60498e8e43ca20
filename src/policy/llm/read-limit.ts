import type { LlmBudget } from './types.ts';

const kinds = { USD: 'usd', tokens: 'tokens', requests: 'requests' } as const;
const factors: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6 };

/** Reads `"5 USD"`, `"2M tokens"`, `"500 requests"`. Undefined for any other text, and for zero. */
export function readLimit(text: string): LlmBudget['limit'] | undefined {
  const [, number = '', factor = '', unit = ''] = /^(\d+(?:\.\d+)?)(k|M)? (USD|tokens|requests)$/u.exec(text) ?? [];
  const kind = kinds[unit as keyof typeof kinds] as LlmBudget['limit']['kind'] | undefined;
  const most = Number(number) * (factors[factor] ?? 1);
  if (kind === undefined || !(most > 0) || most > Number.MAX_SAFE_INTEGER) return undefined;
  return kind === 'usd' || Number.isInteger(most) ? { kind, most } : undefined;
}
