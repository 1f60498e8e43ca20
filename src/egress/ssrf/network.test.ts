import type { networkInterfaces } from 'node:os';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { type AddressNumber, networkContains, createOwnAddresses, networkOf } from './network.ts';

function addressOf(text: string): AddressNumber {
  const address = normaliseHost(text)?.address;
  if (address === undefined) throw new Error(`${text} is not an address`);
  return address;
}

describe('contains', () => {
  test.each([
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '1.2.3.4', false],
    ['::/0', 'ffff::', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['128.0.0.0/1', '255.0.0.0', true],
    ['128.0.0.0/1', '127.255.255.255', false],
    ['1.2.3.4/32', '1.2.3.4', true],
    ['1.2.3.4/32', '1.2.3.5', false],
    ['255.255.255.255/32', '255.255.255.255', true],
    ['2000::/3', '2000::', true],
    ['2000::/3', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['2000::/3', '1fff:ffff::', false],
    ['2000::/3', '4000::', false],
    ['2001::/23', '2001:1ff::', true],
    ['2001::/23', '2001:200::', false],
    ['2001:db8::/32', '2001:db8:ffff::', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['64:ff9b::/96', '64:ff9b::1.2.3.4', true],
    ['64:ff9b::/96', '64:ff9b::1:102:304', false],
    ['::1/128', '::1', true],
    ['::1/128', '::2', false],
  ])('%s has %s: %s', (network, address, expected) => {
    expect(networkContains(networkOf(network), addressOf(address))).toBe(expected);
  });

  test('a network contains its first address, and not one with another last prefix bit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), fc.integer({ min: 1, max: 32 }), (bits, prefix) => {
        const network = { address: { kind: 'v4', bits } as const, prefix };
        expect(networkContains(network, { kind: 'v4', bits })).toBe(true);
        expect(networkContains(network, { kind: 'v4', bits: (bits ^ (2 ** (32 - prefix))) >>> 0 })).toBe(false);
        if (prefix < 32) expect(networkContains(network, { kind: 'v4', bits: (bits ^ 1) >>> 0 })).toBe(true);
      }),
    );
  });

  test('and the same for IPv6', () => {
    const groups = fc.array(fc.nat({ max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 128 }), (groups, prefix) => {
        const network = { address: { kind: 'v6', groups } as const, prefix };
        const flip = (bit: number) =>
          groups.map((group, index) => (index === Math.floor(bit / 16) ? group ^ (1 << (15 - (bit % 16))) : group));
        expect(networkContains(network, { kind: 'v6', groups })).toBe(true);
        expect(networkContains(network, { kind: 'v6', groups: flip(prefix - 1) })).toBe(false);
        if (prefix < 128) expect(networkContains(network, { kind: 'v6', groups: flip(127) })).toBe(true);
      }),
    );
  });
});

test.each(['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/x', 'name/8', '/8'])('%j in a table is an internal error', (text) => {
  expect(() => networkOf(text)).toThrow(expect.objectContaining({ code: 'HF_INTERNAL' }));
});

test('the block of mapped addresses stays one of IPv6', () => {
  expect(networkOf('::ffff:0:0/96').address).toEqual({ kind: 'v6', groups: [0, 0, 0, 0, 0, 0xffff, 0, 0] });
});

type Interfaces = ReturnType<typeof networkInterfaces>;

function interfacesOf(...addresses: readonly string[]): Interfaces {
  return {
    eth0: addresses.map((address) => ({
      address,
      netmask: '',
      mac: '',
      internal: false,
      cidr: null,
      family: 'IPv4' as const,
    })),
  };
}

test('the addresses of this host include loopback', () => {
  expect(createOwnAddresses()().has('127.0.0.1')).toBe(true);
});

test('are canonical', () => {
  const own = createOwnAddresses({
    interfaces: () => interfacesOf('2001:0DB8::0001', 'fe80::1%eth0', '::ffff:192.0.2.1'),
  });
  expect([...own()]).toEqual(['2001:db8::1', 'fe80::1', '192.0.2.1']);
});

test('are read again after a second, and not before', () => {
  let reads = 0;
  let now = 0;
  const own = createOwnAddresses({
    interfaces: () => {
      reads += 1;
      return interfacesOf(`192.0.2.${reads}`);
    },
    now: () => now,
  });
  expect([...own()]).toEqual(['192.0.2.1']);
  now = 999;
  expect([...own()]).toEqual(['192.0.2.1']);
  now = 1000;
  expect([...own()]).toEqual(['192.0.2.2']);
  expect(reads).toBe(2);
});

test('a host without interfaces has none', () => {
  expect(createOwnAddresses({ interfaces: () => ({}) })().size).toBe(0);
  expect(createOwnAddresses({ interfaces: () => ({ eth0: undefined }) })().size).toBe(0);
});
