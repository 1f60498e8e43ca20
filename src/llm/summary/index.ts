/** What many calls came to, in groups, and how that is written for people, programs and spreadsheets. */
export { costText } from './columns.ts';
export { type CallGroups, groupCalls, rowsOf, summarise, totalOf } from './summarise.ts';
export type { Dimension, UsageRow } from './types.ts';
export { usageCsv } from './usage-csv.ts';
export { usageJson } from './usage-json.ts';
export { usageTable } from './usage-table.ts';
