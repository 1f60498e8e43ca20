import { type AccessEntry, pathKey } from '../access.ts';

/**
 * Windows' answer. It reads the entries of the path itself, then the inherited ones of each directory above, the
 * nearest first. At each level, refusals precede grants. The first entry with a bit decides it. Source: Microsoft,
 * "Order of ACEs in a DACL".
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
