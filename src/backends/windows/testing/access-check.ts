import { type AccessEntry, pathKey } from '../access.ts';

/**
 * What Windows would answer: the entries of the path itself, then those that it inherits from each directory above, the
 * nearest first; at each of them refusals before grants. Each bit is settled by the first entry that has it. Source:
 * Microsoft, "Order of ACEs in a DACL".
 */
export function granted(entries: readonly AccessEntry[], path: string): number {
  let [allowed, denied] = [0, 0];
  for (const [depth, place] of [pathKey(path), ...ancestorsOf(pathKey(path))].entries()) {
    const here = entries.filter((entry) => pathKey(entry.path) === place && (depth === 0 || entry.inherit === 'tree'));
    for (const { mask } of here.filter(({ effect }) => effect === 'deny')) denied |= mask & ~allowed;
    for (const { mask } of here.filter(({ effect }) => effect === 'allow')) allowed |= mask & ~denied;
  }
  return allowed;
}

function ancestorsOf(key: string): readonly string[] {
  const parts = key.split('\\');
  return parts
    .slice(1)
    .map((_, index) => parts.slice(0, parts.length - 1 - index).join('\\'))
    .map((text) => (text.endsWith(':') ? `${text}\\` : text));
}
