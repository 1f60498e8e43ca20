import { describe, expect, test } from 'vitest';
import { exchange, gatewayOf } from './testing/gateway.ts';

const gemini = { host: 'generativelanguage.googleapis.com', port: 443 };
const path = '/v1beta/models/gemini-2.5-pro:generateContent';
const body = '{"contents":[{"parts":[{"text":"hello"}]}]}';

// Attack: Google's servers answer in the form that the client asks for, and nothing here reads their protobuf.
describe('a call whose answer would be', () => {
  test.each([
    ['?alt=proto', {}],
    ['?key=x&%61lt=PROTO', {}],
    ['?$alt=proto;enum-encoding=int', {}],
    ['?alt=json&alt=proto', {}],
    ['?alt=media', {}],
    ['', { Accept: 'application/x-protobuf' }],
    // Attack: an answer without `usageMetadata` hides thoughts, and a script is no answer.
    ['?fields=candidates', {}],
    ['?%24fields=candidates', {}],
    ['?alt=sse&fields=candidates(content)', {}],
    ['', { 'X-Goog-FieldMask': 'candidates' }],
    ['?callback=x', {}],
    ['?$callback=x', {}],
  ])('unreadable is refused: %s %j', async (query, headers) => {
    const { sent, answer } = await exchange(gatewayOf(), { to: gemini, target: `${path}${query}`, headers, body });
    expect(sent).toEqual([]);
    expect(answer).toMatchObject({ status: 400 });
  });

  test.each([
    ['?alt=sse', {}],
    ['?alt=json', {}],
    ['?$alt=json;enum-encoding=int', {}],
    ['?alt=', {}],
    ['', { Accept: '*/*' }],
    ['?fields=', {}],
    ['?key=fields', {}],
  ])('readable goes on: %s %j', async (query, headers) => {
    const { sent } = await exchange(gatewayOf(), { to: gemini, target: `${path}${query}`, headers, body });
    expect(sent.length).toBe(1);
  });

  test('a file, which no model made, goes on', async () => {
    const target = '/v1beta/files/a:download?alt=media';
    expect((await exchange(gatewayOf(), { to: gemini, method: 'GET', target })).sent.length).toBe(1);
  });
});
