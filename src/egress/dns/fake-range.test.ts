import { expect, test } from 'vitest';
import { fakeAddressAt, fakeAddressCount, isFakeAddress, resolverIndex } from './fake-range.ts';

test('the addresses are all different, all in 198.18.0.0/15, and none ends in 0 or 255', () => {
  const all = Array.from({ length: fakeAddressCount }, (_, index) => fakeAddressAt(index));
  expect(new Set(all).size).toBe(512 * 254);
  expect(all.every((address) => /^198\.1[89]\.\d{1,3}\.\d{1,3}$/.test(address) && !/\.(?:0|255)$/.test(address))).toBe(true);
  expect([all[0], all[1], all[253], all[254], all.at(-1)]).toEqual(['198.18.0.1', '198.18.0.2', '198.18.0.254', '198.18.1.1', '198.19.255.254']);
});

test('the resolver has the first of them', () => {
  expect(fakeAddressAt(resolverIndex)).toBe('198.18.0.1');
});

test.each(['198.18.0.0', '198.18.0.1', '198.19.255.255', '0xc6120002', '::ffff:198.18.4.4', '3323068418'])('%s lies in the range', (address) => {
  expect(isFakeAddress(address)).toBe(true);
});

test.each(['198.17.255.255', '198.20.0.0', '127.0.0.1', '::1', '2001:db8::c612:1', 'example.com', ''])('%s does not', (address) => {
  expect(isFakeAddress(address)).toBe(false);
});
