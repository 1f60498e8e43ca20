/** A block of addresses that is not the internet, or that the registries single out. */
export interface SpecialBlock {
  readonly block: string;
  readonly name: string;
  readonly source: string;
  /** `global`: registered for a special purpose, and yet servers of anybody answer there. */
  readonly treatment: 'special' | 'global';
}

/**
 * IANA IPv4 Special-Purpose Address Registry, complete, and the multicast range. The anycast addresses in 192.0.0.0/24
 * count as reachable in the registry; they lead to a relay or a port mapper of the host's own network.
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

/**
 * IANA IPv6 Special-Purpose Address Registry, complete, and blocks of older documents that systems still translate.
 * None of them passes: those that the registry calls reachable carry IPv4 addresses, or identifiers that are no hosts.
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
