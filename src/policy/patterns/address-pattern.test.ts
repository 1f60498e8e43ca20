import { expect, test } from 'vitest';
import { knownHost } from '../kinds/known-pattern.ts';
import { isLoopbackPattern, namesAddresses } from './address-pattern.ts';

test.each([
  ['10.0.0.1', 'spells out', 'elsewhere'],
  ['0x0a000001', 'spells out', 'elsewhere'],
  ['10.0.0.0/8:5432', 'spells out', 'elsewhere'],
  ['0.0.0.0/1', 'spells out', 'elsewhere'],
  ['[fd00::1]:443', 'spells out', 'elsewhere'],
  ['fd00::/8', 'spells out', 'elsewhere'],
  ['localhost', 'spells out', 'loopback'],
  ['localhost:3000', 'spells out', 'loopback'],
  ['127.0.0.1', 'spells out', 'loopback'],
  ['127.9.9.9:80', 'spells out', 'loopback'],
  ['127.0.0.0/8', 'spells out', 'loopback'],
  ['127.0.0.0/30:80', 'spells out', 'loopback'],
  ['[::1]:80', 'spells out', 'loopback'],
  ['::1/128', 'spells out', 'loopback'],
  ['::ffff:127.0.0.1', 'spells out', 'loopback'],
  ['126.0.0.0/7', 'spells out', 'elsewhere'],
  ['::/127', 'spells out', 'elsewhere'],
  ['128.0.0.1', 'spells out', 'elsewhere'],
  ['any', 'does not', 'elsewhere'],
  ['any:443', 'does not', 'elsewhere'],
  ['0.0.0.0/0', 'does not', 'elsewhere'],
  ['::/0', 'does not', 'elsewhere'],
  ['example.com', 'does not', 'elsewhere'],
  ['*.example.com', 'does not', 'elsewhere'],
  ['*.localhost', 'does not', 'elsewhere'],
  ['localhost.example', 'does not', 'elsewhere'],
])('%s %s its addresses and lies %s', (source, spelled, place) => {
  const pattern = knownHost(source);
  expect(namesAddresses(pattern)).toBe(spelled === 'spells out');
  expect(isLoopbackPattern(pattern)).toBe(place === 'loopback');
});
