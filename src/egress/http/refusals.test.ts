import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { EgressRefusal, EgressRefusalCode } from '../types.ts';
import { field, fieldValue } from './message.ts';
import { refusalAnswer, refusePlain } from './refusals.ts';
import { verdict } from './testing/front.ts';

const refusal: EgressRefusal = {
  code: 'policy',
  message: 'Nothing grants "ü".',
  remedy: 'Add it to hosts.',
  verdict: verdict('deny'),
};

const statuses: Readonly<Record<EgressRefusalCode, number>> = {
  policy: 403,
  'special-address': 403,
  'special-name': 403,
  'malformed-host': 400,
  'malformed-request': 400,
  'client-tls': 400,
  'unauthorised-proxy': 407,
  'phantom-misused': 403,
  'secret-exposed': 403,
  'foreign-credential': 403,
  'data-loss': 403,
  'credential-unavailable': 502,
  'authority-mismatch': 421,
  'name-not-found': 502,
  'resolver-failed': 502,
  unreachable: 502,
  'upstream-certificate': 502,
  'upstream-protocol': 502,
  overloaded: 503,
  'upstream-timeout': 504,
};

describe('a refusal as an answer', () => {
  test.each(Object.entries(statuses) as readonly [EgressRefusalCode, number][])('%s is %d', (code, status) => {
    const answer = refusalAnswer({ code, message: 'Why.', remedy: 'What to do.' });
    expect(answer.status).toBe(status);
    expect(answer.reason).not.toBe('');
    expect(fieldValue(answer.fields, 'holdfast-refusal')).toBe(code);
    expect(answer.body).toBe('Holdfast refused this request: Why.\nRemedy: What to do.\n');
  });

  test('names the rule, and counts octets', () => {
    const answer = refusalAnswer(refusal);
    expect(answer.body).toBe(
      'Holdfast refused this request: Nothing grants "ü".\nRule: test-rule (user layer, policy.toml:3)\nRemedy: Add it to hosts.\n',
    );
    expect(answer.fields.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'holdfast-refusal: test-rule',
      'cache-control: no-store',
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(answer.body)}`,
    ]);
  });

  test.each([
    ['application/json', true],
    ['application/json, text/plain, */*', true],
    ['application/vnd.github+json', true],
    ['Application/JSON; q=0.9', true],
    ['text/html,application/json', false],
    ['*/*', false],
    ['text/html', false],
    ['application/jsonx', false],
    [undefined, false],
  ])('for accept %s is JSON: %s', (accept, isJson) => {
    const answer = refusalAnswer(refusal, { fields: accept === undefined ? [] : [field('Accept', accept)] });
    expect(fieldValue(answer.fields, 'content-type')).toBe(isJson ? 'application/json' : 'text/plain; charset=utf-8');
    if (isJson)
      expect(JSON.parse(answer.body)).toEqual({
        error: {
          type: 'holdfast_refusal',
          code: 'policy',
          message: refusal.message,
          remedy: refusal.remedy,
          decision: 'deny',
          rule: 'test-rule',
          layer: 'user',
          origin: 'policy.toml:3',
        },
      });
  });

  test.each(['application/grpc', 'application/grpc+proto', 'application/grpc; x=y'])(
    'for %s is a status of gRPC',
    (type) => {
      const answer = refusalAnswer(refusal, { fields: [field('content-type', type)] });
      expect([answer.status, answer.body, fieldValue(answer.fields, 'grpc-status')]).toEqual([200, '', '7']);
      expect(fieldValue(answer.fields, 'grpc-message')).toBe('Nothing grants %22%C3%BC%22. Add it to hosts.');
    },
  );

  test.each(['application/grpc-web', 'application/json'])('for %s is not a status of gRPC', (type) => {
    expect(refusalAnswer(refusal, { fields: [field('content-type', type)] }).status).toBe(403);
  });

  test.each([
    [405, 'allow'],
    [407, 'proxy-authenticate'],
  ])('of status %d has the field %s', (status, name) => {
    expect(fieldValue(refusalAnswer(refusal, { status }).fields, name)).toBeDefined();
  });

  test('contains no line that a rule wrote', () => {
    const named = refusalAnswer({ ...refusal, verdict: { ...verdict('deny'), rule: 'a\r\nSet-Cookie: b=c\0é' } });
    expect(fieldValue(named.fields, 'holdfast-refusal')).toBe('a??Set-Cookie: b=c??');
  });
});

describe('refusePlain', () => {
  const refusedWith = async (prepare: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      prepare(socket);
      refusePlain(socket, refusal);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    const answer = await text(client).catch(() => 'reset');
    server.close();
    return answer;
  };

  test('answers and closes', async () => {
    const answer = await refusedWith(() => undefined);
    expect(answer).toMatch(
      /^HTTP\/1\.1 403 Forbidden\r\nholdfast-refusal: test-rule\r\n[^]*connection: close\r\n\r\nHoldfast refused/,
    );
    expect(answer).toContain('"ü"');
  });

  test('survives a closed socket', async () => {
    expect(await refusedWith((socket) => socket.destroy())).toBe('');
    expect(await refusedWith((socket) => socket.end())).toBe('');
  });
});
