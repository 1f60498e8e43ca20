import { normaliseHost } from '../../policy/index.ts';
import { metadataAddresses } from './metadata-services.ts';
import { type Address, contains, type Network, networkOf } from './network.ts';
import { type SpecialBlock, specialBlocksV4, specialBlocksV6 } from './special-blocks.ts';

/** Whether an address is one of the internet's, and if not, what it is. */
export type AddressClass =
  | { readonly kind: 'global' }
  | { readonly kind: 'special'; readonly block: string; readonly source: string; readonly reason: string };

interface CompiledBlock {
  readonly network: Network;
  readonly result: AddressClass;
}

/** An address in any spelling; what is none is special too, so that nothing unreadable passes for global. */
export function classifyAddress(address: Address | string): AddressClass {
  const known = typeof address === 'string' ? normaliseHost(address)?.address : address;
  if (known === undefined) return special({ block: String(address), name: 'not an address', source: 'none' });
  const listed = (known.kind === 'v4' ? blocksV4 : blocksV6).find(({ network }) => contains(network, known));
  if (listed !== undefined) return listed.result;
  return known.kind === 'v4' ? global : classifyUnlistedV6(known);
}

/** The IPv4 address that the well-known NAT64 prefix carries (RFC 6052 §2.2), canonical; undefined for other addresses. */
export function embeddedV4(address: Address): string | undefined {
  if (address.kind === 'v4' || !contains(nat64, address)) return undefined;
  return normaliseHost(String((address.groups[6] ?? 0) * 65_536 + (address.groups[7] ?? 0)))?.text;
}

/** Only what IANA has given out for the internet passes: a block that is assigned tomorrow is not open today. */
function classifyUnlistedV6(address: Address & { kind: 'v6' }): AddressClass {
  if (!contains(globalUnicast, address)) return special({ block: 'outside 2000::/3', name: 'not assigned to the internet', source: 'RFC 4291 §2.4' });
  return isIsatap(address.groups) ? special({ block: '::[0200:]5efe:0:0/96', name: 'ISATAP, which carries an IPv4 address', source: 'RFC 5214 §6.1' }) : global;
}

/** Interface identifiers `0000:5efe` and `0200:5efe`; the bits u and g may be set by hand. */
function isIsatap(groups: readonly number[]): boolean {
  return ((groups[4] ?? 0) & 0xfcff) === 0 && groups[5] === 0x5efe;
}

function special({ block, name, source }: Pick<SpecialBlock, 'block' | 'name' | 'source'>): AddressClass {
  return { kind: 'special', block, source, reason: name };
}

const global: AddressClass = { kind: 'global' };
const globalUnicast = networkOf('2000::/3');
const nat64 = networkOf('64:ff9b::/96');
const blocksV4 = compile(specialBlocksV4, 'v4');
const blocksV6 = compile(specialBlocksV6, 'v6');

/** The narrowest first, so that the reason is the most telling one. */
function compile(blocks: readonly SpecialBlock[], kind: Address['kind']): readonly CompiledBlock[] {
  return [...metadataAddresses, ...blocks]
    .map((block) => ({ network: networkOf(block.block), result: block.treatment === 'global' ? global : special(block) }))
    .filter(({ network }) => network.address.kind === kind)
    .sort((a, b) => b.network.prefix - a.network.prefix);
}
