import type { UsageRow } from './types.ts';

/** `{ "rows": [{ "key": { "model": … }, "calls": …, … }] }` and a line break. A cost that is not known is null. */
export function usageJson(rows: readonly UsageRow[]): string {
  const written = rows.map(({ key, ...row }) => ({ key: Object.fromEntries(key.map(({ by, value }) => [by, value])), ...row }));
  return `${JSON.stringify({ rows: written }, null, 2)}\n`;
}
