import { randomInt } from 'node:crypto';
import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Authority, Refused, Resolution, Resolver } from '../types.ts';

/**
 * What the addresses of one session stand for. Addresses are in the canonical spelling, names in that of
 * `normaliseHost`.
 */
export interface NameTable {
  /**
   * The fake address of a name, handed out on first use; undefined when there is none left. `standing` defaults to
   * `allowed`.
   */
  addressFor(name: string, standing?: NameStanding): string | undefined;
  /** Keeps that a name was answered with these real addresses. */
  remember(name: string, addresses: readonly string[]): void;
  /**
   * The name of a fake address, or every name that was answered with a real one, latest first; nothing for an address
   * that this session never handed out.
   */
  namesOf(address: string): readonly string[];
  /** Set for names with a fake address. What counts for a connection is what the policy says when it comes. */
  standingOf(name: string): NameStanding | undefined;
}

interface NameTableOptions {
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

/** Which names were given which real addresses: several names share the address of a content network. */
interface RealNames {
  remember(name: string, addresses: readonly string[]): void;
  /** Latest first. */
  namesOf(address: string): readonly string[];
}

interface RealNamesOptions {
  /** Default 65,536. */
  readonly mostAddresses?: number;
  /** For each address. Default 64. */
  readonly mostNames?: number;
}

/**
 * Forgets the longest unused when it is full. A connection to a forgotten address is one to a bare address, which fewer
 * rules allow.
 */
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

/** `refused` names get an address only so that the connection to it can be told why. */
type NameStanding = 'allowed' | 'refused';

interface FakeNames {
  /** The address of a name, always the same one in a session; undefined when there is none left for it. */
  addressFor(name: string, standing: NameStanding): string | undefined;
  nameOf(address: string): string | undefined;
  standingOf(name: string): NameStanding | undefined;
}

interface FakeNamesOptions {
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
 * The range that names get their addresses from: 198.18.0.0/15, set aside for benchmarks of network devices (RFC 2544
 * §C.2.2), so nothing in the world is reached by it. Last bytes 0 and 255 are left out: programs take such addresses
 * for networks and broadcasts.
 */
const base = 198 * 2 ** 24 + 18 * 2 ** 16;
const size = 2 ** 17;
const perBlock = 254;

/** How many addresses there are, the resolver's among them. */
export const fakeAddressCount = (size / 256) * perBlock;

/** Of the address where the resolver itself listens. It never stands for a name. */
export const resolverIndex = 0;

/** The address at an index from 0 to `fakeAddressCount` - 1. */
export function fakeAddressAt(index: number): string {
  const bits = base + Math.floor(index / perBlock) * 256 + (index % perBlock) + 1;
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

/** Whether an address, in any spelling, is in the range, whatever it stands for. */
export function isFakeAddress(address: string): boolean {
  const parsed = normaliseHost(address)?.address;
  return parsed?.kind === 'v4' && parsed.bits >= base && parsed.bits < base + size;
}

/** Whether a refused name does not exist, or gets an address where a connection can be told why it is refused. */
type RefusedNames = 'nxdomain' | 'explain';

/** What an allowed name is answered with. */
export type AddressMode =
  /** An address of its own in 198.18.0.0/15. Nothing is looked up, so no look-up can carry anything out. */
  | { readonly kind: 'fake' }
  /** Its real addresses, as far as `vet` lets them pass. */
  | RealAddresses;

export interface RealAddresses {
  readonly kind: 'real';
  readonly resolver: Resolver;
  /** Which of the addresses may be handed out. */
  vet(name: string, resolution: Resolution): Resolution | Refused | Promise<Resolution | Refused>;
}

export interface AnswerContext {
  readonly authority: Pick<Authority, 'decide'>;
  readonly names: NameTable;
  readonly mode: AddressMode;
  readonly refusedNames: RefusedNames;
  /**
   * Names that exist only in the box: they have a fake address whatever the policy and name servers say. Default: none.
   */
  readonly routes?: Pick<ReadonlyMap<string, unknown>, 'has'>;
}
