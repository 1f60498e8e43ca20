import { expect, test } from 'vitest';
import { canHoldExecutions } from './facts.ts';

test.each([
  ['5.15.0-100-generic', false],
  ['5.19.0', true],
  ['6.1', true],
  ['4.20', false],
])('a kernel %s can hold executions: %s', (version, can) => {
  expect(canHoldExecutions(version)).toBe(can);
});
