import { describe, expect, test } from 'vitest';
import { ollamaError } from '../../../test/fixtures/llm/ollama.ts';
import { dialects } from './dialects.ts';
import { refusalAnswer } from './refusals.ts';

describe.each(Object.values(dialects))('$name', ({ refusal, refusalEvent, name }) => {
  test.each([[400, 400], [403, 403], [404, 404], [429, 429], [408, 403], [409, 403], [425, 403], [500, 403], [529, 403], [200, 403], [Number.NaN, 403]])('%d is told as %d', (status, told) => {
    const answer = refusal({ status, message: 'spent' });
    expect(answer.status).toBe(told);
    expect(JSON.stringify(answer.body)).toContain('spent');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['x-should-retry']).toBe(told === 429 ? undefined : 'false');
  });

  test('AWS names the error in a header', () => {
    expect(refusal({ status: 403, message: 'x' }).headers['x-amzn-errortype']).toBe(name.startsWith('bedrock') ? 'AccessDeniedException' : undefined);
  });

  test('an event that refuses ends the answer', () => {
    const event = refusalEvent?.({ status: 403, message: 'spent' });
    if (event !== undefined) expect(dialects[name].readEvent(event, 'error')).toEqual({ deltas: [], closes: 'all' });
  });
});

test.each([
  ['anthropic-messages', { type: 'error', error: { type: 'permission_error', message: 'spent' } }],
  ['openai-chat', { error: { message: 'spent', type: 'invalid_request_error', param: null, code: 'refused_by_policy' } }],
  ['openai-responses', { error: { message: 'spent', type: 'invalid_request_error', param: null, code: 'refused_by_policy' } }],
  ['gemini', { error: { code: 403, message: 'spent', status: 'PERMISSION_DENIED' } }],
  ['bedrock-converse', { message: 'spent' }],
  ['ollama-chat', { error: 'spent' }],
] as const)('%s says it in its own shape', (name, body) => expect(dialects[name].refusal({ status: 403, message: 'spent' }).body).toEqual(body));

test('rate limits are told as such', () => {
  expect(dialects['anthropic-messages'].refusal({ status: 429, message: 'x' }).body).toMatchObject({ error: { type: 'rate_limit_error' } });
  expect(dialects['openai-chat'].refusal({ status: 429, message: 'x' }).body).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  expect(dialects.gemini.refusal({ status: 429, message: 'x' }).body).toMatchObject({ error: { status: 'RESOURCE_EXHAUSTED' } });
  expect(dialects['bedrock-invoke'].refusal({ status: 429, message: 'x' }).headers['x-amzn-errortype']).toBe('ThrottlingException');
});

test('the body is told the status that is sent', () => expect(refusalAnswer(500, (status) => ({ status }), { a: 'b' })).toMatchObject({ status: 403, body: { status: 403 }, headers: { a: 'b' } }));

test('Ollama\'s own error has the shape of ours', () => {
  expect(dialects['ollama-chat'].refusal({ status: ollamaError.status, message: ollamaError.body.error })).toMatchObject(ollamaError);
});
