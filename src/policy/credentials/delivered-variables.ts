import type { Credential } from './types.ts';

export interface PlacedVariable {
  readonly name: string;
  /** Path in the document. A provider's variables have none, so it is the path of the table. */
  readonly at: string;
}

/** Returns every variable that the credential table at `at` gives to the box. */
export function deliveredVariables(
  { delivery: { environment, baseUrls } }: Pick<Credential, 'delivery'>,
  at: string,
): readonly PlacedVariable[] {
  return [
    ...environment.map(({ name }, index) => ({ name, at: `${at}.environment[${index}]` })),
    ...baseUrls.map(({ name }, index) => ({ name, at: `${at}.base_urls[${index}]` })),
  ];
}

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
