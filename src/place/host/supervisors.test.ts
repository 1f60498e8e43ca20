import process from 'node:process';
import { expect, test } from 'vitest';
import { isRunning, supervisorOf } from './supervisors.ts';

test('a session is known by the process that its name tells of, which was there before it', () => {
  const name = (time: number, pid: number): string => `${time.toString(36)}-${pid.toString(36)}-x`;
  expect(isRunning(name(Date.now(), process.pid))).toBe(true);
  expect(isRunning(name(Date.now() - 3_600_000 * 24 * 365, process.pid))).toBe(false);
  for (const other of ['', 'x', '..-..-..', name(Date.now(), 2 ** 22), `${Date.now().toString(36)}-zzzzzzzzzzzzzz-x`])
    expect(isRunning(other)).toBe(false);
  expect(supervisorOf(name(Date.now(), 4711))).toBe(4711);
});
