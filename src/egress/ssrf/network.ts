import { networkInterfaces } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { type Host, normaliseHost } from '../../policy/normalise/host.ts';

/** An address as a number, so that all its spellings compare equal. */
export type AddressNumber = NonNullable<Host['address']>;

/** A block of addresses: all addresses that share the first `prefix` bits of `address`. */
export interface Network {
  readonly address: AddressNumber;
  readonly prefix: number;
}

/** Parses `10.0.0.0/8` or `2001:db8::/32` from Holdfast's own tables. Throws `HF_INTERNAL` for anything else. */
export function networkOf(text: string): Network {
  const [base = '', prefix = ''] = text.split('/');
  const address = base.includes(':') ? v6Of(base) : normaliseHost(base)?.address;
  if (address === undefined || !/^\d+$/.test(prefix))
    throw new HoldfastError('HF_INTERNAL', `${text} is not a block of addresses`, { remedy: 'report this' });
  return { address, prefix: Number(prefix) };
}

export function networkContains({ address: base, prefix }: Network, address: AddressNumber): boolean {
  if (base.kind === 'v4') return address.kind === 'v4' && sharesBits(base.bits, address.bits, { width: 32, prefix });
  if (address.kind === 'v4') return false;
  return base.groups.every((group, index) =>
    sharesBits(group, address.groups[index] ?? 0, {
      width: 16,
      prefix: Math.min(Math.max(prefix - index * 16, 0), 16),
    }),
  );
}

/** Does not use bit operators: `>>>` takes its shift modulo 32, so a prefix of 0 would compare all bits. */
function sharesBits(
  a: number,
  b: number,
  { width, prefix }: { readonly width: number; readonly prefix: number },
): boolean {
  const rest = 2 ** (width - prefix);
  return Math.floor(a / rest) === Math.floor(b / rest);
}

/**
 * Unlike the policy room's parser, this one keeps `::ffff:0:0` as an IPv6 address, because the tables list that block.
 */
function v6Of(text: string): AddressNumber {
  const [head = '', tail = ''] = text.split('::');
  const [front, back] = [groupsOf(head), groupsOf(tail)];
  return { kind: 'v6', groups: [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back] };
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** Returns the addresses of the host's interfaces, canonical. */
export type OwnAddresses = () => ReadonlySet<string>;

interface OwnAddressesOptions {
  readonly interfaces?: () => ReturnType<typeof networkInterfaces>;
  /** Milliseconds of any clock. */
  readonly now?: () => number;
}

const freshFor = 1000;

/**
 * Reads the host's addresses and keeps them for a second, because interfaces change during a session. Services that
 * trust their own machine may listen on any of these addresses, global or not.
 */
export function createOwnAddresses({
  interfaces = networkInterfaces,
  now = () => performance.now(),
}: OwnAddressesOptions = {}): OwnAddresses {
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - readAt >= freshFor) {
      known = addressesOf(interfaces());
      readAt = now();
    }
    return known;
  };
}

function addressesOf(interfaces: ReturnType<typeof networkInterfaces>): ReadonlySet<string> {
  const all = Object.values(interfaces).flatMap((entries) => entries ?? []);
  return new Set(all.flatMap(({ address }) => normaliseHost(address)?.text ?? []));
}
