import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { alarmAfter, alarmOn } from './alarm.ts';

const silence = (milliseconds: number): Promise<'silence'> => new Promise((resolve) => setTimeout(() => resolve('silence'), milliseconds));

describe('after a time', () => {
  test('it rings', async () => {
    expect(await Promise.race([alarmAfter('late', 10).rings, silence(500)])).toEqual({ kind: 'late' });
  });

  test('it does not ring once it is cleared', async () => {
    const alarm = alarmAfter('late', 10);
    alarm.clear();
    expect(await Promise.race([alarm.rings, silence(50)])).toBe('silence');
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
    const alarm = alarmOn('gone', undefined);
    expect(await Promise.race([alarm.rings, silence(20)])).toBe('silence');
    alarm.clear();
  });
});
