import { createFakeNames, type FakeNamesOptions, type NameStanding } from './fake-names.ts';
import { createRealNames, type RealNamesOptions } from './real-names.ts';

export type { NameStanding } from './fake-names.ts';

/** What the addresses of one session stand for. Addresses are in the canonical spelling, names in that of `normaliseHost`. */
export interface NameTable {
  /** The fake address of a name, handed out on first use; undefined when there is none left. `standing` defaults to `allowed`. */
  addressFor(name: string, standing?: NameStanding): string | undefined;
  /** Keeps that a name was answered with these real addresses. */
  remember(name: string, addresses: readonly string[]): void;
  /** The name of a fake address, or every name that was answered with a real one, latest first; nothing for an address that this session never handed out. */
  namesOf(address: string): readonly string[];
  /** Set for names with a fake address. What counts for a connection is what the policy says when it comes. */
  standingOf(name: string): NameStanding | undefined;
}

export interface NameTableOptions {
  readonly fake?: FakeNamesOptions;
  readonly real?: RealNamesOptions;
}

/** One for each session. With real addresses, refused names may still have fake ones. */
export function createNameTable({ fake = {}, real = {} }: NameTableOptions = {}): NameTable {
  const fakes = createFakeNames(fake);
  const reals = createRealNames(real);
  return {
    addressFor: (name, standing = 'allowed') => fakes.addressFor(name, standing),
    remember: reals.remember,
    namesOf: (address) => {
      const name = fakes.nameOf(address);
      return name === undefined ? reals.namesOf(address) : [name];
    },
    standingOf: fakes.standingOf,
  };
}
