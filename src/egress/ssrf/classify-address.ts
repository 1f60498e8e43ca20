import { normaliseHost } from '../../policy/normalise/host.ts';
import { type AddressNumber, networkContains, type Network, networkOf } from './network.ts';

/** Class of an address: one of the internet, or a special one. */
export type AddressClass =
  | { readonly kind: 'global' }
  | { readonly kind: 'special'; readonly block: string; readonly source: string; readonly reason: string };

interface CompiledBlock {
  readonly network: Network;
  readonly result: AddressClass;
}

/**
 * Classifies an address in any spelling. Text that is not an address is special too, so nothing unreadable passes as
 * global.
 */
export function classifyAddress(address: AddressNumber | string): AddressClass {
  const known = typeof address === 'string' ? normaliseHost(address)?.address : address;
  if (known === undefined) return special({ block: String(address), name: 'not an address', source: 'none' });
  const listed = (known.kind === 'v4' ? blocksV4 : blocksV6).find(({ network }) => networkContains(network, known));
  if (listed !== undefined) return listed.result;
  return known.kind === 'v4' ? global : classifyUnlistedV6(known);
}

/** Returns the canonical IPv4 address in the well-known NAT64 prefix (RFC 6052 §2.2). Undefined for other addresses. */
export function embeddedV4(address: AddressNumber): string | undefined {
  if (address.kind === 'v4' || !networkContains(nat64, address)) return undefined;
  return normaliseHost(String((address.groups[6] ?? 0) * 65_536 + (address.groups[7] ?? 0)))?.text;
}

/** Passes only blocks that IANA has assigned to the internet. A block that is assigned tomorrow stays refused today. */
function classifyUnlistedV6(address: AddressNumber & { kind: 'v6' }): AddressClass {
  if (!networkContains(globalUnicast, address))
    return special({ block: 'outside 2000::/3', name: 'not assigned to the internet', source: 'RFC 4291 §2.4' });
  return isIsatap(address.groups)
    ? special({ block: '::[0200:]5efe:0:0/96', name: 'ISATAP, which carries an IPv4 address', source: 'RFC 5214 §6.1' })
    : global;
}

/** Interface identifiers `0000:5efe` and `0200:5efe`. The bits u and g may be set by hand. */
function isIsatap(groups: readonly number[]): boolean {
  return ((groups[4] ?? 0) & 0xfcff) === 0 && groups[5] === 0x5efe;
}

function special({ block, name, source }: Pick<SpecialBlock, 'block' | 'name' | 'source'>): AddressClass {
  return { kind: 'special', block, source, reason: name };
}

const global: AddressClass = { kind: 'global' };
const globalUnicast = networkOf('2000::/3');
const nat64 = networkOf('64:ff9b::/96');

/**
 * Addresses at which clouds give credentials to anyone who asks. Most are in special blocks already. They are listed so
 * that a refusal can name them, and because 168.63.129.16 is an ordinary unicast address.
 */
export const metadataAddresses: readonly SpecialBlock[] = [
  {
    block: '169.254.169.254/32',
    name: 'instance metadata of AWS, Google, Azure, Oracle, DigitalOcean and OpenStack',
    source: 'AWS EC2 user guide, instance metadata',
    treatment: 'special',
  },
  {
    block: '169.254.170.2/32',
    name: 'task credentials of Amazon ECS',
    source: 'AWS ECS developer guide, task IAM roles',
    treatment: 'special',
  },
  {
    block: '169.254.170.23/32',
    name: 'pod identity of Amazon EKS',
    source: 'AWS EKS user guide, pod identities',
    treatment: 'special',
  },
  {
    block: '169.254.42.42/32',
    name: 'instance metadata of Scaleway',
    source: 'Scaleway documentation, instance metadata',
    treatment: 'special',
  },
  {
    block: '169.254.0.23/32',
    name: 'instance metadata of Tencent Cloud',
    source: 'Tencent Cloud documentation, CVM metadata',
    treatment: 'special',
  },
  {
    block: '100.100.100.200/32',
    name: 'instance metadata of Alibaba Cloud',
    source: 'Alibaba Cloud documentation, ECS metadata',
    treatment: 'special',
  },
  {
    block: '192.0.0.192/32',
    name: 'instance metadata of Oracle Cloud Classic',
    source: 'Oracle Cloud documentation, instance metadata',
    treatment: 'special',
  },
  {
    block: '168.63.129.16/32',
    name: 'WireServer of Azure',
    source: 'Azure documentation, "What is IP address 168.63.129.16"',
    treatment: 'special',
  },
  {
    block: 'fd00:ec2::254/128',
    name: 'instance metadata of AWS',
    source: 'AWS EC2 user guide, instance metadata',
    treatment: 'special',
  },
  {
    block: 'fd00:ec2::253/128',
    name: 'resolver of AWS',
    source: 'AWS VPC user guide, DNS attributes',
    treatment: 'special',
  },
  {
    block: 'fd00:ec2::23/128',
    name: 'pod identity of Amazon EKS',
    source: 'AWS EKS user guide, pod identities',
    treatment: 'special',
  },
  {
    block: 'fd20:ce::254/128',
    name: 'instance metadata of Google Cloud',
    source: 'Google Cloud documentation, VM metadata',
    treatment: 'special',
  },
  {
    block: 'fd00:c1::a9fe:a9fe/128',
    name: 'instance metadata of Oracle Cloud',
    source: 'Oracle Cloud documentation, instance metadata',
    treatment: 'special',
  },
  {
    block: 'fd00:42::42/128',
    name: 'instance metadata of Scaleway',
    source: 'Scaleway documentation, instance metadata',
    treatment: 'special',
  },
  {
    block: 'fd00:a9fe:a9fe::1/128',
    name: 'instance metadata of Linode',
    source: 'Linode documentation, metadata service',
    treatment: 'special',
  },
  {
    block: 'fd00:100::100:200/128',
    name: 'instance metadata of Alibaba Cloud',
    source: 'Alibaba Cloud documentation, ECS metadata',
    treatment: 'special',
  },
  {
    block: 'fe80::a9fe:a9fe/128',
    name: 'instance metadata of OpenStack',
    source: 'OpenStack Nova documentation, metadata service',
    treatment: 'special',
  },
];

/**
 * The complete IANA IPv4 Special-Purpose Address Registry, and the multicast range. The registry marks the anycast
 * addresses in 192.0.0.0/24 as globally reachable. But they lead to a relay or a port mapper of the host's own network.
 */
export const specialBlocksV4: readonly SpecialBlock[] = [
  { block: '0.0.0.0/8', name: 'this network', source: 'RFC 791 §3.2', treatment: 'special' },
  { block: '0.0.0.0/32', name: 'this host', source: 'RFC 1122 §3.2.1.3', treatment: 'special' },
  { block: '10.0.0.0/8', name: 'private use', source: 'RFC 1918', treatment: 'special' },
  { block: '100.64.0.0/10', name: 'shared address space of carriers', source: 'RFC 6598', treatment: 'special' },
  { block: '127.0.0.0/8', name: 'loopback', source: 'RFC 1122 §3.2.1.3', treatment: 'special' },
  { block: '169.254.0.0/16', name: 'link local', source: 'RFC 3927', treatment: 'special' },
  { block: '172.16.0.0/12', name: 'private use', source: 'RFC 1918', treatment: 'special' },
  { block: '192.0.0.0/24', name: 'IETF protocol assignments', source: 'RFC 6890 §2.1', treatment: 'special' },
  { block: '192.0.0.0/29', name: 'IPv4 service continuity', source: 'RFC 7335', treatment: 'special' },
  { block: '192.0.0.8/32', name: 'IPv4 dummy address', source: 'RFC 7600', treatment: 'special' },
  { block: '192.0.0.9/32', name: 'port control protocol anycast', source: 'RFC 7723', treatment: 'special' },
  { block: '192.0.0.10/32', name: 'TURN anycast', source: 'RFC 8155', treatment: 'special' },
  { block: '192.0.0.170/32', name: 'NAT64 and DNS64 discovery', source: 'RFC 8880', treatment: 'special' },
  { block: '192.0.0.171/32', name: 'NAT64 and DNS64 discovery', source: 'RFC 8880', treatment: 'special' },
  { block: '192.0.2.0/24', name: 'documentation', source: 'RFC 5737', treatment: 'special' },
  { block: '192.31.196.0/24', name: 'AS112', source: 'RFC 7535', treatment: 'global' },
  { block: '192.52.193.0/24', name: 'AMT', source: 'RFC 7450', treatment: 'global' },
  { block: '192.88.99.0/24', name: 'deprecated 6to4 relay anycast', source: 'RFC 7526', treatment: 'special' },
  { block: '192.88.99.2/32', name: '6a44 relay anycast', source: 'RFC 6751', treatment: 'special' },
  { block: '192.168.0.0/16', name: 'private use', source: 'RFC 1918', treatment: 'special' },
  { block: '192.175.48.0/24', name: 'direct delegation AS112', source: 'RFC 7534', treatment: 'global' },
  { block: '198.18.0.0/15', name: 'benchmarking', source: 'RFC 2544', treatment: 'special' },
  { block: '198.51.100.0/24', name: 'documentation', source: 'RFC 5737', treatment: 'special' },
  { block: '203.0.113.0/24', name: 'documentation', source: 'RFC 5737', treatment: 'special' },
  { block: '224.0.0.0/4', name: 'multicast', source: 'RFC 5771', treatment: 'special' },
  { block: '240.0.0.0/4', name: 'reserved', source: 'RFC 1112 §4', treatment: 'special' },
  { block: '255.255.255.255/32', name: 'limited broadcast', source: 'RFC 919 §7', treatment: 'special' },
];

const blocksV4 = compile(specialBlocksV4, 'v4');

/**
 * The complete IANA IPv6 Special-Purpose Address Registry, and blocks of older documents that systems still translate.
 * None of them passes. The blocks that the registry marks as globally reachable carry IPv4 addresses, or identifiers
 * that are not hosts.
 */
export const specialBlocksV6: readonly SpecialBlock[] = [
  { block: '::/128', name: 'unspecified', source: 'RFC 4291 §2.5.2', treatment: 'special' },
  { block: '::1/128', name: 'loopback', source: 'RFC 4291 §2.5.3', treatment: 'special' },
  { block: '::/96', name: 'IPv4-compatible, deprecated', source: 'RFC 4291 §2.5.5.1', treatment: 'special' },
  { block: '::ffff:0:0/96', name: 'IPv4-mapped', source: 'RFC 4291 §2.5.5.2', treatment: 'special' },
  { block: '::ffff:0:0:0/96', name: 'IPv4-translated', source: 'RFC 2765 §2.1', treatment: 'special' },
  { block: '64:ff9b::/96', name: 'IPv4 through NAT64', source: 'RFC 6052', treatment: 'special' },
  { block: '64:ff9b:1::/48', name: 'IPv4 through a local NAT64', source: 'RFC 8215', treatment: 'special' },
  { block: '100::/64', name: 'discard only', source: 'RFC 6666', treatment: 'special' },
  { block: '100:0:0:1::/64', name: 'dummy prefix', source: 'RFC 9780', treatment: 'special' },
  { block: '2001::/23', name: 'IETF protocol assignments', source: 'RFC 2928', treatment: 'special' },
  { block: '2001::/32', name: 'Teredo', source: 'RFC 4380', treatment: 'special' },
  { block: '2001:1::1/128', name: 'port control protocol anycast', source: 'RFC 7723', treatment: 'special' },
  { block: '2001:1::2/128', name: 'TURN anycast', source: 'RFC 8155', treatment: 'special' },
  { block: '2001:1::3/128', name: 'service registration anycast', source: 'RFC 9665', treatment: 'special' },
  { block: '2001:2::/48', name: 'benchmarking', source: 'RFC 5180', treatment: 'special' },
  { block: '2001:3::/32', name: 'AMT', source: 'RFC 7450', treatment: 'special' },
  { block: '2001:4:112::/48', name: 'AS112', source: 'RFC 7535', treatment: 'special' },
  { block: '2001:10::/28', name: 'ORCHID, deprecated', source: 'RFC 4843', treatment: 'special' },
  { block: '2001:20::/28', name: 'ORCHIDv2', source: 'RFC 7343', treatment: 'special' },
  { block: '2001:30::/28', name: 'drone remote identification', source: 'RFC 9374', treatment: 'special' },
  { block: '2001:db8::/32', name: 'documentation', source: 'RFC 3849', treatment: 'special' },
  { block: '2002::/16', name: '6to4', source: 'RFC 3056', treatment: 'special' },
  { block: '2620:4f:8000::/48', name: 'direct delegation AS112', source: 'RFC 7534', treatment: 'special' },
  { block: '3fff::/20', name: 'documentation', source: 'RFC 9637', treatment: 'special' },
  { block: '5f00::/16', name: 'segment routing', source: 'RFC 9602', treatment: 'special' },
  { block: 'fc00::/7', name: 'unique local', source: 'RFC 4193', treatment: 'special' },
  { block: 'fe80::/10', name: 'link local', source: 'RFC 4291 §2.5.6', treatment: 'special' },
  { block: 'fec0::/10', name: 'site local, deprecated', source: 'RFC 3879', treatment: 'special' },
  { block: 'ff00::/8', name: 'multicast', source: 'RFC 4291 §2.7', treatment: 'special' },
];

const blocksV6 = compile(specialBlocksV6, 'v6');

/** Sorts the narrowest block first, so that the reason is as precise as possible. */
function compile(blocks: readonly SpecialBlock[], kind: AddressNumber['kind']): readonly CompiledBlock[] {
  return [...metadataAddresses, ...blocks]
    .map((block) => ({
      network: networkOf(block.block),
      result: block.treatment === 'global' ? global : special(block),
    }))
    .filter(({ network }) => network.address.kind === kind)
    .sort((a, b) => b.network.prefix - a.network.prefix);
}

/** A block of addresses outside the internet, or with a special purpose in the registries. */
export interface SpecialBlock {
  readonly block: string;
  readonly name: string;
  readonly source: string;
  /** `global`: registered for a special purpose, but public servers answer in it. */
  readonly treatment: 'special' | 'global';
}
