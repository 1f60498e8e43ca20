import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countdown } from './fetch-url.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('calls once when its time has passed', () => {
  const over = vi.fn<() => void>();
  countdown(1000, over);
  vi.advanceTimersByTime(999);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(over).toHaveBeenCalledTimes(1);
});

test('pauses during other waits, and then continues', async () => {
  const over = vi.fn<() => void>();
  const clock = countdown(1000, over);
  vi.advanceTimersByTime(600);
  expect(await clock.pausedFor(async () => (vi.advanceTimersByTime(60_000), 'answered'))).toBe('answered');
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(399);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledTimes(1);
});

test('continues even after a failed wait', async () => {
  const over = vi.fn<() => void>();
  await expect(countdown(1000, over).pausedFor(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  vi.advanceTimersByTime(1000);
  expect(over).toHaveBeenCalledTimes(1);
});

test('never fires once stopped, even during a pause', async () => {
  const over = vi.fn<() => void>();
  const clock = countdown(1000, over);
  await clock.pausedFor(async () => clock.stop());
  vi.advanceTimersByTime(5000);
  expect(over).not.toHaveBeenCalled();
});
