import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseUrlPath } from './url-path.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test.each([
  ['/', '/'],
  ['/a/b', '/a/b'],
  ['/a/b/', '/a/b/'],
  ['/%61dmin', '/admin'],
  ['/%41DMIN', '/ADMIN'],
  ['/a/../admin', '/admin'],
  ['/a/%2e%2e/admin', '/admin'],
  ['/a/%2E%2e/admin', '/admin'],
  ['/./admin', '/admin'],
  ['//admin', '/admin'],
  ['/a//b', '/a/b'],
  ['/../../admin', '/admin'],
  ['/admin/..', '/'],
  ['/a/b/.', '/a/b/'],
  ['/a/b/..', '/a/'],
  ['/a%2fb', '/a%2Fb'],
  ['/a%20b', '/a%20b'],
  ['/a%zzb', '/a%zzb'],
  ['/%7euser', '/~user'],
  ['/a;b=c', '/a;b=c'],
  ['', '/'],
])('%j is %j', (path, expected) => {
  expect(normaliseUrlPath(path)).toBe(expected);
});

test('is idempotent', () => {
  const unit = fc.constantFrom('a', '/', '.', '%2e', '%61', '%2F', '%C3', 'Z', '~');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (path) => {
      const once = normaliseUrlPath(`/${path}`);
      expect(normaliseUrlPath(once)).toBe(once);
    }),
    { numRuns: rounds(1000) },
  );
});

test('has no dot segment left, escaped or not', () => {
  const unit = fc.constantFrom('a', '/', '.', '%2e', '%2E', '..', '/../');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (path) => {
      expect(normaliseUrlPath(`/${path}`).split('/')).not.toContain('..');
    }),
    { numRuns: rounds(1000) },
  );
});
