export interface Repeated<Item> {
  readonly item: Item;
  readonly first: Item;
}

/** Returns items whose key repeats that of an earlier item, each with the first item of that key. */
export function repeatedIn<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Repeated<Item>[] {
  const seen = new Map<string, Item>();
  return items.flatMap((item): readonly Repeated<Item>[] => {
    const first = seen.get(keyOf(item));
    if (first === undefined) seen.set(keyOf(item), item);
    return first === undefined ? [] : [{ item, first }];
  });
}
