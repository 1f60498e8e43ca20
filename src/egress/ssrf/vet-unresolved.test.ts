import { expect, test } from 'vitest';
import { authorityOf } from './testing/authorities.ts';
import { vetUnresolved } from './vet-unresolved.ts';

const context = { authority: authorityOf(['10.0.0.1 443']), own: () => new Set(['127.0.0.1']) };

test.each([
  ['example.com', 'vetted', []],
  ['93.184.215.14', 'vetted', ['93.184.215.14']],
  ['10.0.0.1', 'vetted', ['10.0.0.1']],
] as const)('%s passes', (host, kind, addresses) => {
  expect(vetUnresolved({ host, port: 443 }, context)).toEqual({ kind, destination: { host, port: 443 }, addresses });
});

test.each([
  ['10.0.0.2', 'special-address'],
  ['::1', 'special-address'],
  ['localhost', 'special-name'],
  ['metadata.google.internal', 'special-name'],
  ['wiki', 'special-name'],
  ['Example.com', 'malformed-host'],
  ['127.1', 'malformed-host'],
  ['a\nb', 'malformed-host'],
])('%j is refused: %s', (host, code) => {
  expect(vetUnresolved({ host, port: 443 }, context)).toMatchObject({ kind: 'refused', refusal: { code } });
});
