import type { EgressRefusal, EgressRefusalCode, Refused, Resolution } from '../types.ts';
import type { RealAddresses } from './answer-context.ts';
import { failed, type Finding, given, noSuchName, refused } from './finding.ts';
import { isFakeAddress } from './fake-range.ts';
import type { NameTable } from './name-table.ts';

export interface RealQuestion {
  readonly name: string;
  readonly type: number;
  readonly names: NameTable;
  readonly mode: RealAddresses;
}

/** The real addresses of a name that has been decided, remembered so that a connection to one of them has a name. */
export async function findReal({ name, type, names, mode }: RealQuestion): Promise<Finding> {
  const resolution = await mode.resolver.resolve(name);
  const vetted = resolution.kind === 'refused' ? resolution : await mode.vet(name, resolution);
  if (vetted.kind === 'refused') return findingOf(vetted);
  const addresses = realAddresses(vetted);
  names.remember(name, addresses.filter((address) => !isLoopback(address)));
  return given(addresses, type);
}

/** An address of the fake range means a name of this session; a name server that answers with one would borrow that name. */
function realAddresses({ addresses }: Resolution): readonly string[] {
  return addresses.filter((address) => !isFakeAddress(address));
}

/** Loopback is the box's own, whatever names stand for it too: a name that claimed it would speak for every service there. */
function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function findingOf({ refusal }: Refused): Finding {
  return { ...(findings[refusal.code] ?? refused), refusal } satisfies Finding & { readonly refusal: EgressRefusal };
}

const findings: Partial<Readonly<Record<EgressRefusalCode, Finding>>> = {
  'name-not-found': noSuchName,
  'resolver-failed': failed,
  'upstream-timeout': failed,
  overloaded: failed,
};
