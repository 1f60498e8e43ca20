import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { sealed } from './secret-store.ts';

const canary = 'EXAMPLE-canary';
const secret = sealed({ value: canary, fields: { sessionToken: `${canary}-session` }, expires: 5 });

test('a secret is used as any other value', () => {
  expect(secret.value).toBe(canary);
  expect(secret.fields['sessionToken']).toBe(`${canary}-session`);
  expect(secret.expires).toBe(5);
  expect(Object.keys(secret.fields)).toEqual(['sessionToken']);
  expect({ ...secret }.value).toBe(canary);
});

test.each([
  ['inspect', () => inspect({ a: [secret] }, { depth: 9, showHidden: true })],
  ['inspect of its fields', () => inspect(secret.fields)],
  ['console.log', () => format('%s %o %j', secret, secret, secret)],
  ['JSON', () => JSON.stringify({ a: [secret], b: secret.fields })],
  ['a template', () => `${String(secret)} ${String(secret.fields)}`],
  ['an error', () => inspect(new Error('x', { cause: secret }))],
])('%s does not show it', (_, shown) => {
  expect(shown()).not.toContain(canary);
  expect(shown()).toContain('[a secret]');
});
