import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Hours } from './hours.ts';

const hour = 3_600_000;

test('the newest are held in whole hours, and omissions are known', () => {
  const hours = new Hours<string>(3);
  for (const [time, item] of [
    [5, 'e'],
    [4, 'd'],
    [5.9, 'f'],
    [2, 'b'],
    [1, 'a'],
    [4.5, 'd2'],
  ] as const)
    hours.add(time * hour, item);
  expect(hours.itemsSince(0).toSorted()).toEqual(['e', 'f']);
  expect([0, 4 * hour, 5 * hour].map((from) => hours.isCutSince(from))).toEqual([true, true, false]);
});

test('are no more than the most, but for one hour that has more, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 40 }), (times) => {
      const hours = new Hours<number>(8);
      for (const time of times) hours.add(time * hour, time);
      const held = hours.itemsSince(0);
      expect(held.length <= 8 || hours.since(0).length === 1).toBe(true);
      const first = Math.min(...held);
      expect(held.toSorted()).toEqual(times.filter((time) => time >= first).toSorted());
    }),
  );
});

test('from one hour on', () => {
  const hours = new Hours<number>(100);
  for (let index = 0; index < 10; index += 1) hours.add(index * hour + 5, index);
  expect(hours.since(8 * hour)).toEqual([
    { start: 8 * hour, items: [8] },
    { start: 9 * hour, items: [9] },
  ]);
});
