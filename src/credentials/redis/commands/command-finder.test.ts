import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNameIndex } from './command-finder.ts';

const names = new Map(['GET', 'SET', 'GETEX', 'SORT_RO', 'JSON.GET', 'NO-EVICT'].map((name) => [name, name]));
const index = createNameIndex(names);
const find = (text: string): string | undefined => {
  const bytes = Buffer.from(`--${text}--`, 'latin1');
  return index.find(bytes, 2, bytes.length - 2);
};

test.each([
  ['GET', 'GET'],
  ['get', 'GET'],
  ['gEtEx', 'GETEX'],
  ['sort_ro', 'SORT_RO'],
  ['json.get', 'JSON.GET'],
  ['no-evict', 'NO-EVICT'],
])('%s is found', (text, name) => {
  expect(find(text)).toBe(name);
});

test.each([
  '',
  'GE',
  'GETE',
  'GET ',
  ' GET',
  'GET\0',
  'G\0T',
  'SORT?RO',
  'SORT\x7fRO',
  'JSON\x0eGET',
  'NO\rEVICT',
  'ſET',
  'gét',
])('%j is not', (text) => {
  expect(find(text)).toBeUndefined();
});

test('what is found is the name, in whatever case, and nothing else is', () => {
  const near = fc
    .tuple(fc.constantFrom(...names.keys()), fc.nat(8), fc.nat(255))
    .map(([name, at, octet]) => name.slice(0, at) + String.fromCharCode(octet) + name.slice(at + 1));
  fc.assert(
    fc.property(near, (text) => {
      const upper = text.replaceAll(/[a-z]/gu, (letter) => letter.toUpperCase());
      expect(find(text)).toBe(names.get(upper));
    }),
  );
});
