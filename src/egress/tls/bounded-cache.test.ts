import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

describe('a bounded cache', () => {
  const forever = { lifetime: Number.POSITIVE_INFINITY, now: () => 0 };

  test('forgets what was used longest ago', () => {
    const cache = boundedCache<number>({ most: 2, ...forever });
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  test('keeps the later of two values', () => {
    const cache = boundedCache<number>({ most: 2, ...forever });
    cache.set('a', 1);
    cache.set('a', 2);
    expect([cache.get('a'), cache.size]).toEqual([2, 1]);
  });

  test('forgets what is too old, however often it was used', () => {
    let now = 0;
    const cache = boundedCache<number>({ most: 2, lifetime: 10, now: () => now });
    cache.set('a', 1);
    now = 9;
    expect(cache.get('a')).toBe(1);
    now = 10;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test('never holds more than it may', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (most, taken) => {
        const cache = boundedCache<string>({ most, ...forever });
        for (const [isSet, key] of taken) {
          if (isSet) cache.set(key, key);
          else expect([key, undefined]).toContain(cache.get(key));
          expect(cache.size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
