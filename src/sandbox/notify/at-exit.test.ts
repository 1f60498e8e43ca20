import process from 'node:process';
import { expect, test } from 'vitest';
import { atExit } from './at-exit.ts';

test('as many as there are boxes may wait for the exit, and none of them stays', () => {
  const before = [process.listenerCount('exit'), process.getMaxListeners()];
  const acted: number[] = [];
  const forget = Array.from({ length: 30 }, (_, index) => atExit(() => void acted.push(index)));
  expect(process.listenerCount('exit')).toBe(Number(before[0]) + 30);
  expect(process.getMaxListeners()).toBeGreaterThanOrEqual(30);
  for (const each of forget) each();
  expect([process.listenerCount('exit'), process.getMaxListeners()]).toEqual(before);
  expect(acted).toEqual([]);
});
