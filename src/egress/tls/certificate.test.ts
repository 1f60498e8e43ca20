import { normaliseHost } from '../../policy/index.ts';
import { expect, test } from 'vitest';
import { addressBytes } from './leaf.ts';
import { alertRecord } from './alert.ts';
import { extension, nameOf, randomSerial } from './certificate.ts';
import { der } from './der.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test.each([
  ['192.0.2.1', 'c0000201'],
  ['0.0.0.0', '00000000'],
  ['255.255.255.255', 'ffffffff'],
  ['::1', '00000000000000000000000000000001'],
  ['2001:db8::ff', '20010db80000000000000000000000ff'],
])('the bytes of %s are %s', (text, expected) => {
  const address = normaliseHost(text)?.address;
  expect(address && hex(addressBytes(address))).toBe(expected);
});

test('a name of 64 characters is a common name, one of 65 the empty name', () => {
  expect(hex(nameOf('a'.repeat(64)))).toContain('0603550403');
  expect(hex(nameOf('a'.repeat(65)))).toBe('3000');
});

test('only what is critical says so: false is the default, and DER writes no defaults', () => {
  expect(hex(extension('2.5.29.14', 'critical', der.true()))).toBe('300d0603551d0e0101ff04030101ff');
  expect(hex(extension('2.5.29.14', 'optional', der.true()))).toBe('300a0603551d0e04030101ff');
});

test('serials are positive and never begin with a zero', () => {
  for (let round = 0; round < 300; round += 1) {
    const serial = randomSerial();
    expect(serial).toHaveLength(16);
    expect((serial[0] ?? 0) >> 6).toBe(1);
  }
});

test('alerts are fatal, and one record each', () => {
  expect(hex(alertRecord('unrecognizedName'))).toBe('15030300020270');
  expect(hex(alertRecord('missingExtension'))).toBe('1503030002026d');
  expect(hex(alertRecord('decodeError'))).toBe('15030300020232');
  expect(hex(alertRecord('accessDenied'))).toBe('15030300020231');
});
