import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { noProxyOf } from './no-proxy.ts';

const reaches = (list: string, host: string, port = 443): boolean => noProxyOf(list)({ host, port });

test('a name bypasses for itself and what is below it, and nothing else', () => {
  fc.assert(
    fc.property(fc.domain(), fc.stringMatching(/^[a-z]{1,8}$/), (name, label) => {
      const host = name.toLowerCase();
      for (const entry of [host, `.${host}`, `*.${host}`, host.toUpperCase(), `${host}:443`]) {
        expect(reaches(entry, host)).toBe(true);
        expect(reaches(entry, `${label}.${host}`)).toBe(true);
        expect(reaches(entry, `${label}${host}`)).toBe(false);
        expect(reaches(entry, `${host}.${label}`)).toBe(false);
      }
      expect(reaches(`${host}:444`, host)).toBe(false);
    }),
    { numRuns: 100 },
  );
});

test('a network bypasses for the addresses in it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 255 }), fc.nat({ max: 255 }), (a, b) => {
      expect(reaches('10.0.0.0/8', `10.${a}.${b}.1`)).toBe(true);
      expect(reaches('10.7.0.0/16', `10.${a}.${b}.1`)).toBe(a === 7);
      expect(reaches('2001:db8::/32', `2001:db8::${a}`)).toBe(true);
      expect(reaches('2001:db8::/32', `2001:db9::${a}`)).toBe(false);
    }),
  );
});

test('any text is read, and only * bypasses for everything', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '*', ',', ' ', ':', '/', '1', '0', '[', ']', '-', '\n'), maxLength: 24 }), (list) => {
      const isAll = list.split(/[\s,]+/).includes('*');
      expect(reaches(list, 'somewhere-else.example.org')).toBe(isAll);
    }),
    { numRuns: 500 },
  );
});

test('a list of a megabyte is read at once', () => {
  const list = 'example.com,'.repeat(80_000);
  expect(atMost(1000, () => reaches(list, 'example.org'))).toBe(false);
});
