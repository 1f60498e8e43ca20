import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from './order.ts';

test.each([
  [[], []],
  [['1.1.1.1'], ['1.1.1.1']],
  [['::1'], ['::1']],
  [['1.1.1.1', '::1'], ['::1', '1.1.1.1']],
  [['1.1.1.1', '2.2.2.2', '::1'], ['::1', '1.1.1.1', '2.2.2.2']],
  [['::1', '::2', '1.1.1.1'], ['::1', '1.1.1.1', '::2']],
  [['::1', '::2'], ['::1', '::2']],
])('%j is tried as %j', (addresses, order) => {
  expect(inOrder(addresses)).toEqual(order);
});

test('none is lost or invented', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.oneof(fc.ipV4(), fc.ipV6())), (addresses) => {
      expect([...inOrder(addresses)].sort()).toEqual([...addresses].sort());
    }),
  );
});
