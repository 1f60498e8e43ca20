/** Drops the oldest of a map when it has twice as many as are kept: seldom, so that it costs little however many come. */
export function newestOf<Value extends { readonly seq: number }>(map: Map<string, Value>, kept: number): void {
  if (map.size <= 2 * kept) return;
  const oldest = [...map].toSorted(([, a], [, b]) => b.seq - a.seq).slice(kept);
  for (const [key] of oldest) map.delete(key);
}
