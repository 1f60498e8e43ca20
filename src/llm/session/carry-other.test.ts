import { describe, expect, test } from 'vitest';
import { type HostPattern, parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import { exchange, gatewayOf, key, ruleOf, settingsOf } from './testing/gateway.ts';

function pattern(source: string): HostPattern {
  const parsed = parseHostPattern(source);
  if (parsed.kind === 'problem') throw new Error(source);
  return parsed;
}

const to = { host: 'api.example.com', port: 443 };
const gatewayWith = (decision: 'audit' | 'redact' | 'tokenize' | 'block', gateway: 'on' | 'off' = 'on') =>
  gatewayOf(settingsOf({ gateway, dlp: [ruleOf({ decision, hosts: [pattern('api.example.com')] })] }));

describe('a host that a rule names', () => {
  test.each(['block', 'redact', 'tokenize'] as const)(
    'gets no form with a key by %s, with one journal entry',
    async (decision) => {
      const gateway = gatewayWith(decision);
      const { answer, sent } = await exchange(gateway, { to, body: `a=${key}&b=`.repeat(1000) });
      expect([answer.kind, sent]).toEqual(['refused', []]);
      expect(gateway.events).toMatchObject([{ type: 'dlp', decision: 'block', found: { 'github-token': 1000 } }]);
    },
  );

  test('gets it where a rule only tells', async () => {
    const gateway = gatewayWith('audit');
    expect((await exchange(gateway, { to, body: `a=${key}` })).sent).toMatchObject([{ body: `a=${key}` }]);
    expect(gateway.events).toMatchObject([{ decision: 'audit', found: { 'github-token': 1 } }]);
  });

  test('gets JSON without its keys', async () => {
    const { sent } = await exchange(gatewayWith('redact', 'off'), { to, body: JSON.stringify({ any: [key] }) });
    expect(sent).toMatchObject([{ body: '{"any":["[redacted:github-token]"]}' }]);
  });

  test.each(['block', 'redact', 'tokenize'] as const)(
    'gets no JSON with a key for the name of a member by %s',
    async (decision) => {
      const gateway = gatewayWith(decision);
      const escaped = `{"\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}": [1]}`;
      for (const body of [JSON.stringify({ any: [{ [key]: 1 }] }), escaped])
        expect((await exchange(gateway, { to, body })).sent).toEqual([]);
      expect(gateway.events).toMatchObject([
        { decision: 'block', found: { 'github-token': 1 } },
        { decision: 'block', found: { 'github-token': 1 } },
      ]);
      expect((await exchange(gateway, { to, body: '{"any":[{"name":1}]}' })).sent).toMatchObject([
        { body: '{"any":[{"name":1}]}' },
      ]);
    },
  );

  test('gets no form with an escaped key, and a repeated one is reported once', async () => {
    const gateway = gatewayWith('block');
    for (const body of [
      `a=${key.replace('_', '%5f')}&b=%20`,
      `a=${encodeURIComponent(`"${key}"`)}`,
      `a=100%de%AD&b=${key}`,
    ])
      expect((await exchange(gateway, { to, body })).sent).toEqual([]);
    expect(gateway.events).toMatchObject(
      Array.from({ length: 3 }, () => ({ decision: 'block', found: { 'github-token': 1 } })),
    );
  });

  test.each(['/x?a=KEY', '/KEY/x', '/x?a=%22ESCAPED%22', '/x?u=https%3A%2F%2Fother.example%2F%3Fk%3DKEY'])(
    'gets no request with a key in the address %s',
    async (form) => {
      const target = form.replace('KEY', key).replace('ESCAPED', key.replace('_', '%5f'));
      for (const decision of ['block', 'redact', 'tokenize'] as const) {
        const gateway = gatewayWith(decision);
        for (const method of ['GET', 'POST'])
          expect(
            (await exchange(gateway, { to, method, target, ...(method === 'POST' && { body: '{}' }) })).sent,
          ).toEqual([]);
        expect(gateway.events).toMatchObject(
          Array.from({ length: 2 }, () => ({ type: 'dlp', decision: 'block', found: { 'github-token': 1 } })),
        );
        expect(JSON.stringify(gateway.events)).not.toContain(key);
      }
      const told = gatewayWith('audit');
      expect((await exchange(told, { to, method: 'GET', target })).sent).toMatchObject([{ request: { target } }]);
      expect(told.events).toMatchObject([{ decision: 'audit', found: { 'github-token': 1 } }]);
    },
  );

  test.each([
    ['block', 0],
    ['audit', 1],
  ] as const)('gets a WebSocket by %s: %i', async (decision, count) => {
    expect((await exchange(gatewayWith(decision), { to, method: 'GET', upgrade: 'websocket' })).sent).toHaveLength(
      count,
    );
  });

  test('gets nothing that is coded in an unknown way', async () => {
    expect(
      (await exchange(gatewayWith('block'), { to, headers: { 'content-encoding': 'lzma' }, body: 'x' })).answer,
    ).toMatchObject({ kind: 'refused' });
  });

  test.each([undefined, ''])('gets a request with the content %j', async (body) =>
    expect((await exchange(gatewayWith('block'), { to, ...(body === undefined ? {} : { body }) })).sent).toHaveLength(
      1,
    ),
  );
});

test.each([
  { host: 'api.example.com', port: 8443 },
  { host: 'other.example.com', port: 443 },
])('%j', async (other) => {
  const isNamed = other.host === to.host;
  expect((await exchange(gatewayWith('block'), { to: other, body: key })).sent).toHaveLength(isNamed ? 0 : 1);
});
