import { expect, test } from 'vitest';
import { passedLately } from './passed-lately.ts';

test('is remembered for a quarter of a second, until something changes, and not without end', () => {
  let now = 1000;
  const passed = passedLately(() => now);
  passed.add('0/a');
  expect([passed.has('0/a'), passed.has('1/a')]).toEqual([true, false]);
  now += 249;
  expect(passed.has('0/a')).toBe(true);
  now += 1;
  expect(passed.has('0/a')).toBe(false);
  passed.add('0/a');
  passed.forget();
  expect(passed.has('0/a')).toBe(false);
  for (let index = 0; index < 5000; index += 1) passed.add(`0/${index}`);
  expect([passed.has('0/0'), passed.has('0/4999')]).toEqual([false, true]);
});
