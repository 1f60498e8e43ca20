import type { UsageRow } from './usage-json.ts';

/** US dollars: `+ ?` if some of the calls have no known cost, `?` if none has. */
export function costText({ usd, unpriced }: UsageRow): string {
  if (usd === null) return unpriced === 0 ? '' : '?';
  const amount = usd > 0 && usd < 0.01 ? usd.toFixed(6) : usd.toFixed(2);
  return unpriced === 0 ? amount : `${amount} + ?`;
}
