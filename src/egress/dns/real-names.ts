/** Which names were given which real addresses: several names share the address of a content network. */
export interface RealNames {
  remember(name: string, addresses: readonly string[]): void;
  /** Latest first. */
  namesOf(address: string): readonly string[];
}

export interface RealNamesOptions {
  /** Default 65,536. */
  readonly mostAddresses?: number;
  /** For each address. Default 64. */
  readonly mostNames?: number;
}

/** Forgets the longest unused when it is full. A connection to a forgotten address is one to a bare address, which fewer rules allow. */
export function createRealNames({ mostAddresses = 65_536, mostNames = 64 }: RealNamesOptions = {}): RealNames {
  const names = new Map<string, readonly string[]>();
  const rememberOne = (name: string, address: string): void => {
    const others = (names.get(address) ?? []).filter((other) => other !== name);
    // Set again at the end: a Map lists its oldest entry first.
    names.delete(address);
    names.set(address, [name, ...others].slice(0, mostNames));
    const [oldest] = names.keys();
    if (names.size > mostAddresses && oldest !== undefined) names.delete(oldest);
  };
  return {
    remember: (name, addresses) => addresses.forEach((address) => rememberOne(name, address)),
    namesOf: (address) => names.get(address) ?? [],
  };
}
