import { expect, test, vi } from 'vitest';
import { lazily } from './lazily.ts';

test('makes a value when it is first asked for, and once', () => {
  const make = vi.fn(() => ({}));
  const value = lazily(make);
  expect(make).not.toHaveBeenCalled();
  expect(value()).toBe(value());
  expect(make).toHaveBeenCalledTimes(1);
});

test('an undefined value is made once too', () => {
  const make = vi.fn(() => undefined);
  const value = lazily(make);
  value();
  value();
  expect(make).toHaveBeenCalledTimes(1);
});

test('a failure is tried again', () => {
  let attempts = 0;
  const value = lazily(() => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return attempts;
  });
  expect(value).toThrow('not yet');
  expect(value()).toBe(2);
});
