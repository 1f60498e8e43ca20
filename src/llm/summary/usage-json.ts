import type { UsageRow } from './types.ts';

/** `{ "rows": [{ "key": { "model": … }, "calls": …, … }], "unread": 0 }` and a line break. A cost that is not known is null. */
export function usageJson(rows: readonly UsageRow[], unread: number): string {
  const written = rows.map(({ key, ...row }) => ({ key: Object.fromEntries(key.map(({ by, value }) => [by, value])), ...row }));
  return `${JSON.stringify({ rows: written, unread }, null, 2)}\n`;
}
