import { networkInterfaces } from 'node:os';
import { normaliseHost } from '../../policy/index.ts';

/** The addresses of the host's interfaces, canonical. */
export type OwnAddresses = () => ReadonlySet<string>;

export interface OwnAddressesOptions {
  readonly interfaces?: () => ReturnType<typeof networkInterfaces>;
  /** Milliseconds of any clock. */
  readonly now?: () => number;
}

const freshFor = 1000;

/**
 * Reads the host's addresses and keeps them for a second, because interfaces come and go while a session runs: services
 * that trust their own machine listen on them, whether or not they are global.
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
