// Not through the index: what writes policies is no business of the other rooms.
import { scanLines } from '../../../policy/document/lines.ts';

/** The policy with one more table at its end. */
export function withTable(policy: string, table: string): string {
  if (policy.trim() === '') return `version = 1\n\n${table}`;
  return `${policy}${policy.endsWith('\n') ? '' : '\n'}\n${table}`;
}

/**
 * The policy without the table number `index` of `[[credentials]]`. Every other line stays as it is: comments before and after
 * it as well. Undefined where the table is not written as one piece of lines of its own.
 */
export function withoutTable(policy: string, index: number): string | undefined {
  const lines = policy.split('\n');
  const places = scanLines(policy);
  const own = `credentials[${index}]`;
  const start = places.get(own);
  if (start === undefined || !/^\s*\[\[\s*(?:credentials|"credentials"|'credentials')\s*\]\]/u.test(lines[start - 1] ?? '')) return undefined;
  const ofOthers = [...places].flatMap(([place, line]) => (line > start && place !== own && !place.startsWith(`${own}.`) ? [line] : []));
  const next = Math.min(lines.length + 1, ...ofOthers);
  const end = lastOf(lines, start, next);
  const [before, after] = [lines.slice(0, start - 1), lines.slice(end)];
  // The blank line that stood between it and what was before it.
  if (before.at(-1)?.trim() === '' && (after[0] ?? '').trim() === '') before.pop();
  return [...before, ...after].join('\n');
}

/** How many lines there are up to the last one of a table whose next neighbour begins in line `next`: comments below it are not its own. */
function lastOf(lines: readonly string[], start: number, next: number): number {
  let end = next - 1;
  while (end > start && /^\s*(?:#.*)?$/u.test(lines[end - 1] ?? '')) end -= 1;
  return end;
}
