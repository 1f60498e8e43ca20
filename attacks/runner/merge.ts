import { backends } from './attack.ts';
import type { Result } from './perform.ts';

/**
 * Joins the results of several runs, in the order of names, users and backends. Of two results for one trial, the later
 * one counts.
 */
export function mergeResults(records: readonly (readonly Result[])[]): readonly Result[] {
  const latest = new Map(records.flat().map((result) => [keyOf(result), result]));
  return [...latest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, result]) => result);
}

function keyOf({ name, user, backend }: Result): string {
  return JSON.stringify([name, user, backends.indexOf(backend)]);
}
