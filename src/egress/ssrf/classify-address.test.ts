import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { normaliseHost } from '../../policy/normalise/host.ts';
import {
  classifyAddress,
  embeddedV4,
  metadataAddresses,
  specialBlocksV4,
  specialBlocksV6,
} from './classify-address.ts';
import { networkOf } from './network.ts';

describe('the registries', () => {
  test.each([...specialBlocksV4, ...specialBlocksV6, ...metadataAddresses])(
    '$block is $treatment: its first and last address',
    ({ block, treatment }) => {
      const { address, prefix } = networkOf(block);
      expect(classifyAddress(address).kind).toBe(treatment);
      const last =
        address.kind === 'v4'
          ? ({ kind: 'v4', bits: address.bits + 2 ** (32 - prefix) - 1 } as const)
          : { kind: 'v6' as const, groups: lastGroups(address.groups, prefix) };
      expect(classifyAddress(last).kind).toBe(treatment);
    },
  );

  test('name each block once, with its source', () => {
    const all = [...specialBlocksV4, ...specialBlocksV6, ...metadataAddresses];
    expect(new Set(all.map(({ block }) => block)).size).toBe(all.length);
    for (const { name, source } of all) expect(Math.min(name.length, source.length)).toBeGreaterThan(2);
  });

  // The rows of the IANA registries of 2025, by block, so that a row that is lost is seen.
  test.each([
    '0.0.0.0/8',
    '0.0.0.0/32',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.0.0/29',
    '192.0.0.8/32',
    '192.0.0.9/32',
    '192.0.0.10/32',
    '192.0.0.170/32',
    '192.0.0.171/32',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.88.99.2/32',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '255.255.255.255/32',
  ])('IPv4 has %s', (block) => {
    expect(specialBlocksV4.map((entry) => entry.block)).toContain(block);
  });

  test.each([
    '::1/128',
    '::/128',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '2001::/32',
    '2001:1::1/128',
    '2001:1::2/128',
    '2001:1::3/128',
    '2001:2::/48',
    '2001:3::/32',
    '2001:4:112::/48',
    '2001:10::/28',
    '2001:20::/28',
    '2001:30::/28',
    '2001:db8::/32',
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
    '5f00::/16',
    'fc00::/7',
    'fe80::/10',
  ])('IPv6 has %s', (block) => {
    expect(specialBlocksV6.map((entry) => entry.block)).toContain(block);
  });
});

function lastGroups(groups: readonly number[], prefix: number): readonly number[] {
  return groups.map((group, index) => group | (0xffff >>> Math.min(Math.max(prefix - index * 16, 0), 16)));
}

describe('the most specific reason', () => {
  test.each([
    ['169.254.169.254', '169.254.169.254/32', /instance metadata/],
    ['168.63.129.16', '168.63.129.16/32', /WireServer/],
    ['0.0.0.0', '0.0.0.0/32', /this host/],
    ['0.0.0.1', '0.0.0.0/8', /this network/],
    ['::1', '::1/128', /loopback/],
    ['::2', '::/96', /compatible/],
    ['2001:2::1', '2001:2::/48', /benchmarking/],
    ['2001:5::1', '2001::/23', /assignments/],
    ['4000::', 'outside 2000::/3', /not assigned/],
    ['2600::5efe:1.2.3.4', '::[0200:]5efe:0:0/96', /ISATAP/],
    ['fd00:ec2::254', 'fd00:ec2::254/128', /AWS/],
    ['fd00::1', 'fc00::/7', /unique local/],
  ])('%s is in %s', (address, block, reason) => {
    const found = classifyAddress(address);
    expect(found).toMatchObject({ kind: 'special', block });
    expect(found.kind === 'special' ? found.reason : '').toMatch(reason);
  });
});

describe('spellings', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '[::ffff:7f00:1]',
    '127.0.0.1.',
  ])('%s is loopback', (text) => {
    expect(classifyAddress(text)).toMatchObject({ kind: 'special', block: '127.0.0.0/8' });
  });

  test.each(['', 'example.com', '256.1.1.1', 'x', '1.2.3.4/8', ':::', '\0'])(
    '%j is not an address, and therefore special',
    (text) => {
      expect(classifyAddress(text)).toMatchObject({ kind: 'special', reason: 'not an address' });
    },
  );

  test('a mapped address is special if it was not unmapped', () => {
    expect(classifyAddress({ kind: 'v6', groups: [0, 0, 0, 0, 0, 0xffff, 0x0808, 0x0808] })).toMatchObject({
      kind: 'special',
      block: '::ffff:0:0/96',
    });
  });

  test('any text gets an answer, and a global one is an address', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()),
        (text) => {
          if (classifyAddress(text).kind === 'global') expect(normaliseHost(text)?.address).toBeDefined();
        },
      ),
    );
  });
});

describe('IPv6 by construction', () => {
  const groups = fc.array(fc.nat({ max: 0xffff }), { minLength: 8, maxLength: 8 });

  test('nothing outside 2000::/3 is global', () => {
    fc.assert(
      fc.property(groups, (groups) => {
        if (((groups[0] ?? 0) & 0xe000) !== 0x2000)
          expect(classifyAddress({ kind: 'v6', groups }).kind).toBe('special');
      }),
    );
  });

  test('most addresses inside it pass', () => {
    fc.assert(
      fc.property(groups, (groups) => {
        const known = [0x2a00, ...groups.slice(1, 5), 0x1234, ...groups.slice(6)];
        expect(classifyAddress({ kind: 'v6', groups: known }).kind).toBe('global');
      }),
    );
  });

  test('an ISATAP identifier carries any IPv4 address, with its bits set or not', () => {
    fc.assert(
      fc.property(groups, fc.constantFrom(0, 0x100, 0x200, 0x300), (groups, flags) => {
        const isatap = [0x2a00, ...groups.slice(1, 4), flags, 0x5efe, ...groups.slice(6)];
        expect(classifyAddress({ kind: 'v6', groups: isatap }).kind).toBe('special');
      }),
    );
  });
});

describe('embeddedV4', () => {
  test.each([
    ['64:ff9b::7f00:1', '127.0.0.1'],
    ['64:ff9b::', '0.0.0.0'],
    ['64:ff9b::255.255.255.255', '255.255.255.255'],
    ['64:ff9b::8.8.8.8', '8.8.8.8'],
    ['64:ff9b:1::8.8.8.8', undefined],
    ['64:ff9b::1:808:808', undefined],
    ['8.8.8.8', undefined],
  ])('%s carries %s', (text, expected) => {
    const address = normaliseHost(text)?.address;
    expect(address === undefined ? 'none' : embeddedV4(address)).toBe(expected);
  });
});

test('takes a fraction of the time of a new connection', () => {
  const addresses = ['93.184.215.14', '2606:4700::1111', '10.0.0.1', 'fe80::1'].flatMap(
    (text) => normaliseHost(text)?.address ?? [],
  );
  atMost(200, () => {
    for (let round = 0; round < 5000; round += 1) for (const address of addresses) classifyAddress(address);
  });
});
