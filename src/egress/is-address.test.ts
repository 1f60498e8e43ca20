import { isIP } from 'node:net';
import { assert, ipV4, ipV6, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseHost } from '../policy/normalise/host.ts';
import { isAddress } from './is-address.ts';
import { rounds } from '../../scripts/testing/extent.ts';

test.each(['127.0.0.1', '::1', '2001:db8::1', '::ffff:10.0.0.1'])('%s is an address', (host) =>
  expect(isAddress(host)).toBe(true),
);
test.each(['example.com', 'localhost', '1.2.3.example', 'dead.beef', ''])('%j is a name', (host) =>
  expect(isAddress(host)).toBe(false),
);

test('a normalised host is an address for both modules or for neither', () => {
  assert(
    property(oneof(ipV4(), ipV6(), string({ maxLength: 40 }), string({ unit: 'binary' })), (text) => {
      const host = normaliseHost(text)?.text;
      if (host !== undefined) expect(isAddress(host)).toBe(isIP(host) !== 0);
    }),
    { numRuns: rounds(2000) },
  );
});
