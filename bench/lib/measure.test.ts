import { expect, test } from 'vitest';
import { absent, runner } from './contestant.ts';
import { measure } from './measure.ts';

test('interleaves, rotates, leaves warm-ups out and keeps who is absent', async () => {
  const order: string[] = [];
  const note = (name: string) => runner(name, async () => void order.push(name));
  const results = await measure([note('a'), absent('b', 'not installed'), note('c')], { rounds: 2, warmups: 1 });
  expect(order).toEqual(['a', 'c', 'c', 'a', 'a', 'c']);
  expect(results.map(({ kind, name }) => [kind, name])).toEqual([['measured', 'a'], ['absent', 'b'], ['measured', 'c']]);
  expect(results[0]).toMatchObject({ time: { count: 2 } });
});

test('fails with a contestant that fails', async () => {
  const failing = runner('broken', () => Promise.reject(new Error('exit 1')));
  await expect(measure([failing], { rounds: 1, warmups: 0 })).rejects.toThrow('exit 1');
});
