import { expect, test } from 'vitest';
import { replaceJson } from './replace-json.ts';

test.each([
  ['{"a": {"b": false }, "c":1e400}', '{"a": {"b": true }, "c":1e400}'],
  ['{"a":{"b":null,"b":"x"}}', '{"a":{"b":true,"b":true}}'],
  ['{"a":{"b":[]}}', undefined],
  ['{"a":{"b":[],"b":"x"}}', undefined],
  ['{"a":{"b":1,"b":{"b":2}}}', undefined],
  ['{"a":{"c":1}}', undefined],
  ['{"a":{"b":false}', undefined],
  ['', undefined],
])('%s', (text, expected) =>
  expect(replaceJson(Buffer.from(text), { path: ['a', 'b'], value: true })?.toString()).toBe(expected),
);
