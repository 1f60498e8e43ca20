import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder } from './in-order.ts';

const never = new AbortController().signal;

test('results come in the order of the items, however long each takes', async () => {
  const delivered: number[] = [];
  const work = async (delay: number) => sleep(delay, delay);
  await inOrder([30, 1, 20, 2], 2, { work, deliver: (value) => delivered.push(value), signal: never });
  expect(delivered).toEqual([30, 1, 20, 2]);
});

test('no more than the given number is at work at once', async () => {
  let working = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++working);
    await sleep(3);
    working--;
  };
  await inOrder([1, 2, 3, 4, 5], 2, { work, deliver: () => undefined, signal: never });
  expect(most).toBe(2);
});

test('an interruption starts nothing new and delivers started work', async () => {
  const controller = new AbortController();
  const delivered: number[] = [];
  const work = async (item: number) => {
    if (item === 2) controller.abort();
    return sleep(2, item);
  };
  await inOrder([1, 2, 3, 4, 5, 6], 1, { work, deliver: (value) => delivered.push(value), signal: controller.signal });
  expect(delivered).toEqual([1, 2]);
});
