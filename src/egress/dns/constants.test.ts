import { describe, expect, test } from 'vitest';
import { hostNameOf } from './constants.ts';
import { reversedAddress } from './find.ts';

describe('a host name', () => {
  test.each([
    'example.com',
    'a',
    '_acme-challenge.example.com',
    'xn--bcher-kva.de',
    '7.example',
    'a-.b',
    '1.2.3.example',
  ])('%s', (name) => {
    expect(hostNameOf(name)).toBe(name);
  });

  test.each([
    ['the root', ''],
    ['a dot in a label', 'example\\046com.evil.test'],
    ['a NUL', 'example\\000.com'],
    ['bytes beyond ASCII', 'b\\195\\188cher.de'],
    ['an address', '127.0.0.1'],
    ['a short address', '127.1'],
    ['an address as one number', '2130706433'],
    ['an address in hexadecimal', '0x7f000001'],
    ['an octal address', '0177.0.0.1'],
    ['what ends in a number', 'example.1'],
    ['what is too large for an address', '256.1.1.1'],
  ])('is not %s', (_, name) => {
    expect(hostNameOf(name)).toBeUndefined();
  });
});

describe('a reverse name', () => {
  test.each([
    ['2.0.18.198.in-addr.arpa', '198.18.0.2'],
    ['1.0.0.127.in-addr.arpa', '127.0.0.1'],
    [`${'1.0.0.0.'.repeat(1)}${'0.0.0.0.'.repeat(5)}8.b.d.0.1.0.0.2.ip6.arpa`, '2001:db8::1'],
    [`1.${'0.'.repeat(31)}ip6.arpa`, '::1'],
    [`1.0.0.0.0.0.a.0.f.f.f.f.${'0.'.repeat(20)}ip6.arpa`, '10.0.0.1'],
  ])('%s asks about %s', (name, address) => {
    expect(reversedAddress(name)).toBe(address);
  });

  test.each([
    'example.com',
    'in-addr.arpa',
    'ip6.arpa',
    '0.18.198.in-addr.arpa',
    '1.2.0.18.198.in-addr.arpa',
    '256.0.18.198.in-addr.arpa',
    '02.0.18.198.in-addr.arpa',
    'x.0.18.198.in-addr.arpa',
    '2.0.18.198.ip6.arpa',
    `g.${'0.'.repeat(31)}ip6.arpa`,
    `${'0.'.repeat(31)}ip6.arpa`,
    `10.${'0.'.repeat(31)}ip6.arpa`,
  ])('%s asks about none', (name) => {
    expect(reversedAddress(name)).toBeUndefined();
  });
});
