/** Returns the most likely intended word. Undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(Math.min(word.length, longest) / 3));
  let best: string | undefined;
  let distance = allowed + 1;
  for (const candidate of known) {
    const found = editDistance(word.toLowerCase().slice(0, longest), candidate);
    if (found < distance) [best, distance] = [candidate, found];
  }
  return best;
}

/** A very long key is not a typing error. */
const longest = 64;

/** Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(substitution, swap, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? 0;
}
