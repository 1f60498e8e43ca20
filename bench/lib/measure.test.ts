import { expect, test } from 'vitest';
import { absent, runner, selfTimed } from './contestant.ts';
import { measure } from './measure.ts';

test('interleaves, rotates, leaves warm-ups out and keeps absent rows', async () => {
  const order: string[] = [];
  const note = (name: string) => selfTimed(name, () => Promise.resolve(order.push(name)));
  const results = await measure([note('a'), absent('b', 'not installed'), note('c')], { rounds: 2, warmups: 1 });
  expect(order).toEqual(['a', 'c', 'c', 'a', 'a', 'c']);
  expect(results).toEqual([
    { kind: 'measured', name: 'a', samples: [4, 5] },
    { kind: 'absent', name: 'b', reason: 'not installed' },
    { kind: 'measured', name: 'c', samples: [3, 6] },
  ]);
});

test('times an operation that does not time itself', async () => {
  const slow = runner('slow', () => new Promise((resolve) => setTimeout(resolve, 20)));
  const [result] = await measure([slow], { rounds: 1, warmups: 0 });
  expect(result?.kind === 'measured' ? result.samples[0] : 0).toBeGreaterThan(15);
});

test('fails with a contestant that fails', async () => {
  const failing = runner('broken', () => Promise.reject(new Error('exit 1')));
  await expect(measure([failing], { rounds: 1, warmups: 0 })).rejects.toThrow('exit 1');
});
