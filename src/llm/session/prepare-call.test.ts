import { expect, test } from 'vitest';
import { dialects } from '../index.ts';
import { estimatedTokens } from './prepare-call.ts';

const tokensIn = (body: unknown): number =>
  estimatedTokens(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), dialects['anthropic-messages']);
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(10_000) },
};

test('texts and definitions of tools count, a token for four bytes, and images do not', () => {
  const body = {
    model: 'm',
    system: 'abcd',
    messages: [{ role: 'user', content: [image, { type: 'text', text: 'äöüß' }] }],
    tools: [{ name: 'run', description: 'x'.repeat(400), input_schema: {} }],
  };
  expect(tokensIn(body)).toBeGreaterThanOrEqual(103);
  expect(tokensIn(body)).toBeLessThan(115);
});

test.each(['', '{', '[]', 'null', '[['.repeat(10_000)])('%j has none', (body) => expect(tokensIn(body)).toBe(0));
