import { describe, expect, test } from 'vitest';
import { summarise } from './stats.ts';

describe('summarise', () => {
  test('orders by number, not by text', () => {
    expect(summarise([100, 9, 20])).toMatchObject({ count: 3, median: 20 });
  });

  test('interpolates between ranks', () => {
    expect(summarise([0, 10])).toEqual({ count: 2, p10: 1, median: 5, p90: 9 });
    expect(summarise(Array.from({ length: 101 }, (_, index) => index))).toMatchObject({ p10: 10, median: 50, p90: 90 });
  });

  test('refuses an empty list', () => {
    expect(() => summarise([])).toThrow('at least one sample');
  });
});
