import { randomInt } from 'node:crypto';
import { fakeAddressAt, fakeAddressCount, resolverIndex } from './fake-range.ts';

/** `refused` names get an address only so that the connection to it can be told why. */
export type NameStanding = 'allowed' | 'refused';

export interface FakeNames {
  /** The address of a name, always the same one in a session; undefined when there is none left for it. */
  addressFor(name: string, standing: NameStanding): string | undefined;
  nameOf(address: string): string | undefined;
  standingOf(name: string): NameStanding | undefined;
}

export interface FakeNamesOptions {
  /** How many names there may be at once. Default: as many as the range has addresses. */
  readonly capacity?: number;
  /** Index of the first address, 0 to `fakeAddressCount` - 1. Default: random. */
  readonly start?: number;
}

/** Refused names cost nothing to make up, and must not use up the addresses that allowed ones need. */
export const mostRefusedNames = 4096;

/**
 * Gives each name an address that no other name of the session ever gets. The first one is drawn at random for each
 * session: an address that a program kept from an earlier session means nothing here, rather than another host.
 */
export function createFakeNames({ capacity = fakeAddressCount - 1, start = randomInt(fakeAddressCount) }: FakeNamesOptions = {}): FakeNames {
  const most = Math.min(capacity, fakeAddressCount - 1);
  const addresses = new Map<string, string>();
  const names = new Map<string, string>();
  const refused = new Set<string>();
  let next = start;

  const hasRoom = (standing: NameStanding): boolean => addresses.size < most && (standing === 'allowed' || refused.size < mostRefusedNames);
  const freshAddress = (): string => {
    if (next % fakeAddressCount === resolverIndex) next += 1;
    const address = fakeAddressAt(next % fakeAddressCount);
    next += 1;
    return address;
  };
  const add = (name: string): string => {
    const address = freshAddress();
    addresses.set(name, address);
    names.set(address, name);
    return address;
  };

  return {
    addressFor: (name, standing) => {
      const known = addresses.get(name);
      if (known === undefined && !hasRoom(standing)) return undefined;
      if (standing === 'allowed') refused.delete(name);
      else refused.add(name);
      return known ?? add(name);
    },
    nameOf: (address) => names.get(address),
    standingOf: (name) => (addresses.has(name) ? (refused.has(name) ? 'refused' : 'allowed') : undefined),
  };
}
