import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hasSettled, stopClock } from '../testing/stopped-clock.ts';
import { alarmAfter, alarmOn } from './alarm.ts';

describe('after a time', () => {
  test('it rings', async () => {
    const clock = stopClock();
    const { rings } = alarmAfter('late', 10);
    await clock.pass(9);
    expect(await hasSettled(rings)).toBe(false);
    await clock.pass(1);
    expect(await rings).toEqual({ kind: 'late' });
  });

  test('it does not ring once it is cleared', async () => {
    const clock = stopClock();
    const alarm = alarmAfter('late', 10);
    alarm.clear();
    await clock.pass(1000);
    expect(await hasSettled(alarm.rings)).toBe(false);
  });
});

describe('on a signal', () => {
  test('it rings, also when the signal was given before', async () => {
    const controller = new AbortController();
    const alarm = alarmOn('gone', controller.signal);
    controller.abort();
    expect(await alarm.rings).toEqual({ kind: 'gone' });
    expect(await alarmOn('gone', AbortSignal.abort()).rings).toEqual({ kind: 'gone' });
  });

  test('it leaves no listener behind', () => {
    const { signal } = new AbortController();
    const alarm = alarmOn('gone', signal);
    expect(getEventListeners(signal, 'abort').length).toBe(1);
    alarm.clear();
    expect(getEventListeners(signal, 'abort').length).toBe(0);
  });

  test('without a signal it never rings', async () => {
    const clock = stopClock();
    const alarm = alarmOn('gone', undefined);
    await clock.pass(1000);
    expect(await hasSettled(alarm.rings)).toBe(false);
    alarm.clear();
  });
});
