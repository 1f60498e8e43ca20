/**
 * A name as a case-insensitive file system compares it. `ſ` (U+017F) is folded by hand, because it is already lower
 * case and yet equals `s` there; `K` (U+212A) becomes `k` by itself.
 */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes('\u017f') ? lower.replaceAll('\u017f', 's') : lower;
}
