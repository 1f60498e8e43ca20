export interface Repeated<Item> {
  readonly item: Item;
  readonly first: Item;
}

/** The items whose key an earlier one has, each with the first that has it. */
export function repeatedIn<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Repeated<Item>[] {
  const seen = new Map<string, Item>();
  return items.flatMap((item): readonly Repeated<Item>[] => {
    const first = seen.get(keyOf(item));
    if (first === undefined) seen.set(keyOf(item), item);
    return first === undefined ? [] : [{ item, first }];
  });
}
