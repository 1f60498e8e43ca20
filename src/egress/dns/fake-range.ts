import { normaliseHost } from '../../policy/index.ts';

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

/** Whether an address, in any spelling, lies in the range, whoever or whatever it stands for. */
export function isFakeAddress(address: string): boolean {
  const parsed = normaliseHost(address)?.address;
  return parsed?.kind === 'v4' && parsed.bits >= base && parsed.bits < base + size;
}
