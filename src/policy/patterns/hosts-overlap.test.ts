import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownHost } from '../kinds/known-pattern.ts';
import { normaliseHost } from '../normalise/host.ts';
import { hostIndex } from './host-index.ts';
import { hostsOverlap } from './hosts-overlap.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test.each([
  ['example.com', 'EXAMPLE.com.'],
  ['any', 'example.com'],
  ['any', '10.0.0.0/8'],
  ['any', 'localhost'],
  ['any:1-100', 'any:100-200'],
  ['*.example.com', 'a.b.example.com'],
  ['*.example.com', '*.b.example.com'],
  ['10.0.0.0/8', '10.1.2.3:80'],
  ['10.0.0.0/8', '10.1.0.0/16'],
  ['10.1.2.3/8', '10.9.0.0/16'],
  ['fd00::/8', 'fd00:1::/32'],
  ['localhost', '127.0.0.1:80'],
  ['localhost', '127.0.0.0/8'],
  ['localhost', '127.9.0.0/16'],
  ['localhost', '::1'],
  ['localhost', '::/64'],
  ['localhost', '0.0.0.0/0'],
  ['example.com:80', 'example.com:1-80'],
])('%s and %s have something in common', (a, b) => {
  expect(hostsOverlap(knownHost(a), knownHost(b))).toBe(true);
  expect(hostsOverlap(knownHost(b), knownHost(a))).toBe(true);
});

test.each([
  ['example.com', 'example.org'],
  ['example.com', '*.example.com'],
  ['*.example.com', '*.example.org'],
  ['*.a.example.com', '*.b.example.com'],
  ['example.com:80', 'example.com:443'],
  ['any:1-99', 'any:100'],
  ['10.0.0.0/8', '11.0.0.0/8'],
  ['10.0.0.0/8', 'fd00::/8'],
  ['10.0.0.0/8', 'example.com'],
  ['localhost', '128.0.0.0/8'],
  ['localhost', '::2'],
  ['localhost', 'localhost.example'],
])('%s and %s have nothing in common', (a, b) => {
  expect(hostsOverlap(knownHost(a), knownHost(b))).toBe(false);
  expect(hostsOverlap(knownHost(b), knownHost(a))).toBe(false);
});

test('two patterns that match the same host overlap', () => {
  const sources = [
    'any',
    'a.test',
    '*.test',
    '*.a.test',
    'b.a.test',
    '10.0.0.0/8',
    '10.1.0.0/16',
    '10.1.2.3',
    '0.0.0.0/0',
    '::/0',
    'localhost',
    '127.0.0.0/9',
    '::1',
    'any:80',
    '*.test:80-90',
    '10.0.0.0/9:80',
  ];
  const hosts = [
    'a.test',
    'b.a.test',
    'c.b.a.test',
    '10.1.2.3',
    '10.200.0.1',
    '127.0.0.1',
    '127.200.0.1',
    '::1',
    'fd00::1',
    'localhost',
  ];
  const pattern = fc.constantFrom(...sources).map(knownHost);
  fc.assert(
    fc.property(pattern, pattern, fc.constantFrom(...hosts), fc.constantFrom(80, 85, 443), (...[a, b, text, port]) => {
      const host = normaliseHost(text) ?? { text: '' };
      const matches = (each: typeof a): boolean =>
        hostIndex<true, undefined>([{ pattern: each, order: 0, value: true }]).first(host, port, undefined) !==
        undefined;
      if (matches(a) && matches(b)) expect(hostsOverlap(a, b), `${a.source} ${b.source} ${text}`).toBe(true);
    }),
    { numRuns: rounds(2000) },
  );
});
