import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turnstile, type TurnstilePass } from './turnstile.ts';

const never = new AbortController().signal;

/** Commands that have entered, in their order. */
function queue(most: { readonly starting: number; readonly running: number }) {
  const turnstile = new Turnstile(most);
  const entered: { readonly name: string; readonly pass: TurnstilePass }[] = [];
  return {
    entered,
    tryJoin: () => turnstile.tryEnter(),
    names: () => entered.map(({ name }) => name).join(''),
    join: (name: string, left: AbortSignal = never) =>
      turnstile.enter(left).then((pass) => void entered.push({ name, pass })),
  };
}

test('as many start as may, and the others in the order in which they came', async () => {
  const { entered, names, join } = queue({ starting: 2, running: 10 });
  for (const name of 'abcde') void join(name);
  await setImmediate();
  expect(names()).toBe('ab');
  entered[1]?.pass.ended();
  await setImmediate();
  expect(names()).toBe('abc');
  entered[0]?.pass.started();
  entered[2]?.pass.ended();
  await setImmediate();
  expect(names()).toBe('abcde');
});

test('a started one counts as running until its end, once', async () => {
  const { entered, names, join } = queue({ starting: 2, running: 2 });
  for (const name of 'abcd') void join(name);
  await setImmediate();
  entered[0]?.pass.started();
  entered[0]?.pass.started();
  await setImmediate();
  expect(names()).toBe('ab');
  entered[0]?.pass.ended();
  entered[0]?.pass.ended();
  await setImmediate();
  expect(names()).toBe('abc');
});

test('leaving during the wait means not entering, and delays nobody', async () => {
  const { entered, names, join } = queue({ starting: 1, running: 1 });
  const leaving = new AbortController();
  void join('a');
  const left = join('b', leaving.signal);
  void join('c');
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  entered[0]?.pass.ended();
  await setImmediate();
  expect(names()).toBe('ac');
  await expect(join('d', leaving.signal)).rejects.toThrow('left');
});

test('without waiting, entry needs room and an empty queue', async () => {
  const { entered, names, join, tryJoin } = queue({ starting: 1, running: 2 });
  const first = tryJoin();
  expect([first === undefined, tryJoin()]).toEqual([false, undefined]);
  void join('a');
  first?.ended();
  await setImmediate();
  expect(names()).toBe('a');
  entered[0]?.pass.started();
  const last = tryJoin();
  last?.started();
  expect([last === undefined, tryJoin()]).toEqual([false, undefined]);
});
