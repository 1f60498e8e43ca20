import type { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { createOwnAddresses } from './own-addresses.ts';

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

test('the addresses of this host, loopback among them', () => {
  expect(createOwnAddresses()().has('127.0.0.1')).toBe(true);
});

test('are canonical', () => {
  const own = createOwnAddresses({
    interfaces: () => interfacesOf('2001:0DB8::0001', 'fe80::1%eth0', '::ffff:192.0.2.1'),
  });
  expect([...own()]).toEqual(['2001:db8::1', 'fe80::1', '192.0.2.1']);
});

test('are read again after a second, not before', () => {
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
