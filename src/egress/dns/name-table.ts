import { randomInt } from 'node:crypto';
import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Authority, Refused, Resolution, Resolver } from '../types.ts';

/**
 * Names behind the addresses of one session. Addresses are in the canonical spelling, names in that of `normaliseHost`.
 */
export interface NameTable {
  /**
   * Returns the fake address of a name, assigned on first use. Undefined if none is left. Default of `standing`:
   * `allowed`.
   */
  addressFor(name: string, standing?: NameStanding): string | undefined;
  /** Remembers that the answer for a name had these real addresses. */
  remember(name: string, addresses: readonly string[]): void;
  /**
   * Returns the name of a fake address. For a real address, returns every name that resolved to it, latest first. Empty
   * for an address that this session never gave out.
   */
  namesOf(address: string): readonly string[];
  /**
   * Defined for names with a fake address. The policy decides about a connection when the connection is made, not by
   * this value.
   */
  standingOf(name: string): NameStanding | undefined;
}

interface NameTableOptions {
  readonly fake?: FakeNamesOptions;
  readonly real?: RealNamesOptions;
}

/** Creates the table of one session. Even with real addresses, refused names may have fake ones. */
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

/** Names by real address. Several names can share one address of a content delivery network. */
interface RealNames {
  remember(name: string, addresses: readonly string[]): void;
  /** Latest first. */
  namesOf(address: string): readonly string[];
}

interface RealNamesOptions {
  /** Default: 65,536. */
  readonly mostAddresses?: number;
  /** For each address. Default: 64. */
  readonly mostNames?: number;
}

/**
 * Forgets the least recently used address when it is full. A connection to a forgotten address counts as one to a bare
 * address, which fewer rules allow.
 */
export function createRealNames({ mostAddresses = 65_536, mostNames = 64 }: RealNamesOptions = {}): RealNames {
  const names = new Map<string, readonly string[]>();
  const rememberOne = (name: string, address: string): void => {
    const others = (names.get(address) ?? []).filter((other) => other !== name);
    // Deleted and set again, because a Map lists its oldest entry first.
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

/** A `refused` name gets an address only so that a connection to it can be told the reason. */
type NameStanding = 'allowed' | 'refused';

interface FakeNames {
  /** Returns the address of a name, always the same in a session. Undefined if no address is left. */
  addressFor(name: string, standing: NameStanding): string | undefined;
  nameOf(address: string): string | undefined;
  standingOf(name: string): NameStanding | undefined;
}

interface FakeNamesOptions {
  /** Most names at once. Default: the number of addresses in the range. */
  readonly capacity?: number;
  /** Index of the first address, 0 to `fakeAddressCount` - 1. Default: random. */
  readonly start?: number;
}

/** A box can invent refused names for free. They must not exhaust the addresses for allowed names. */
export const mostRefusedNames = 4096;

/**
 * Gives each name an address that no other name of the session ever gets. The first address is random in each session.
 * An address that a program kept from an earlier session then leads nowhere, instead of to another host.
 */
export function createFakeNames({
  capacity = fakeAddressCount - 1,
  start = randomInt(fakeAddressCount),
}: FakeNamesOptions = {}): FakeNames {
  const most = Math.min(capacity, fakeAddressCount - 1);
  const addresses = new Map<string, string>();
  const names = new Map<string, string>();
  const refused = new Set<string>();
  let next = start;

  const hasRoom = (standing: NameStanding): boolean =>
    addresses.size < most && (standing === 'allowed' || refused.size < mostRefusedNames);
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

/**
 * The range of fake addresses: 198.18.0.0/15, reserved for benchmarks of network devices (RFC 2544 §C.2.2), so no host
 * has one. Addresses that end in 0 or 255 are left out, because programs take them for networks and broadcasts.
 */
const base = 198 * 2 ** 24 + 18 * 2 ** 16;
const size = 2 ** 17;
const perBlock = 254;

/** Number of addresses, including the resolver's. */
export const fakeAddressCount = (size / 256) * perBlock;

/** Index of the resolver's own address. It never belongs to a name. */
export const resolverIndex = 0;

/** Returns the address at an index from 0 to `fakeAddressCount` - 1. */
export function fakeAddressAt(index: number): string {
  const bits = base + Math.floor(index / perBlock) * 256 + (index % perBlock) + 1;
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

/** Returns true if an address, in any spelling, is in the range, assigned or not. */
export function isFakeAddress(address: string): boolean {
  const parsed = normaliseHost(address)?.address;
  return parsed?.kind === 'v4' && parsed.bits >= base && parsed.bits < base + size;
}

/**
 * `nxdomain`: a refused name does not exist. `explain`: it gets an address, and a connection to that address is told
 * the reason.
 */
type RefusedNames = 'nxdomain' | 'explain';

/** Kind of addresses that an allowed name gets. */
export type AddressMode =
  /** A fake address in 198.18.0.0/15. Nothing is looked up, so no look-up can exfiltrate data. */
  | { readonly kind: 'fake' }
  /** The name's real addresses, if `vet` passes them. */
  | RealAddresses;

export interface RealAddresses {
  readonly kind: 'real';
  readonly resolver: Resolver;
  /** Returns the addresses that may be given out. */
  vet(name: string, resolution: Resolution): Resolution | Refused | Promise<Resolution | Refused>;
}

export interface AnswerContext {
  readonly authority: Pick<Authority, 'decide'>;
  readonly names: NameTable;
  readonly mode: AddressMode;
  readonly refusedNames: RefusedNames;
  /**
   * Names that exist only in the box. They get a fake address without asking the policy or a name server. Default:
   * none.
   */
  readonly routes?: Pick<ReadonlyMap<string, unknown>, 'has'>;
}
