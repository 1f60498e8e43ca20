import { describe, expect, test } from 'vitest';
import { type Answer, type ServerDialect, startModelServer } from '../lib/model-server/index.ts';
import { everything } from './answers.ts';
import { askAt, type ExchangeRequest } from './ask.ts';
import { badExchanges } from './bad-exchanges.ts';
import { compareClients, compareExchange, compareRequests } from './faithful.ts';
import { type Judgement, judge, type Witnessed, witness } from './judge.ts';
import { type Alteration, startProxy, type TestProxy } from './proxies.ts';
import { answerIn } from './raw-exchange.ts';
import { clientPrograms } from './run-client.ts';
import { bytesBeforeHold } from './streams-through.ts';

const request: ExchangeRequest = {
  method: 'POST',
  path: '/v1/messages',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"model":"example","max_tokens":9,"messages":[],"stream":true}'),
};

/** The helper's message about a proxy with this fault. */
async function differencesBy(alteration: Alteration, answer: Answer = everything): Promise<readonly string[]> {
  await using server = await startModelServer({ dialect: 'anthropic', script: [answer, answer] });
  await using proxy = await startProxy(server.port, alteration);
  const answers = await compareExchange(
    { direct: askAt(`http://127.0.0.1:${server.port}`), through: askAt(`http://127.0.0.1:${proxy.port}`) },
    request,
  );
  return [...answers, ...compareRequests(server.requests.slice(0, 1), server.requests.slice(1))];
}

const alterations: Readonly<Record<string, readonly [Alteration, RegExp]>> = {
  'another status': [{ status: () => 201 }, /^status: 200 direct, 201 through$/u],
  'a field less': [
    { headers: (raw) => raw.filter((_, index) => !/^cache-control$/iu.test(raw[index - (index % 2)] ?? '')) },
    /^field cache-control: \["no-cache"\] direct, null through$/u,
  ],
  'a field more': [{ headers: (raw) => [...raw, 'x-more', '1'] }, /^field x-more: null direct, \["1"\] through$/u],
  'another byte in the answer': [
    { piece: (piece) => Buffer.from(piece.toString('latin1').replace('hm', 'hM'), 'latin1') },
    /^body: .* they differ at \d+: .*hM/u,
  ],
  'a space less in the answer': [
    { piece: (piece) => Buffer.from(piece.toString('latin1').replace('data: ', 'data:'), 'latin1') },
    /^body: /u,
  ],
  'another byte in the request': [
    { request: (body) => Buffer.from(body.toString().replace('example', 'exampIe')) },
    /^request 0: body: /u,
  ],
  'a request written again': [
    { request: (body) => Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)) },
    /^request 0: field content-length: /u,
  ],
};

describe('the comparison of an exchange with a direct one', () => {
  test.each([
    ['in events', {}],
    ['in bytes', { chunking: 'byte' }],
    ['in gzip', { coding: 'gzip' }],
    ['cut off', { abortAfter: 4 }],
    ['ended early', { abortAfter: 4, abortHow: 'end' }],
  ] as const)('finds no difference through a proxy that passes everything on: %s', async (_, pacing) => {
    expect(await differencesBy({}, { ...everything, ...pacing })).toEqual([]);
  });

  test.each(Object.entries(alterations))('finds %s', async (_, [alteration, expected]) => {
    expect(await differencesBy(alteration)).toContainEqual(expect.stringMatching(expected));
  });

  test('finds an answer that claims to be whole and was cut off', async () => {
    await using server = await startModelServer({
      dialect: 'anthropic',
      script: [
        { ...everything, abortAfter: 2 },
        { ...everything, abortAfter: 2 },
      ],
    });
    const direct = askAt(`http://127.0.0.1:${server.port}`);
    expect(
      await compareExchange(
        { direct, through: async (asked) => ({ ...(await direct(asked)), end: 'whole' }) },
        request,
      ),
    ).toEqual(['end: "cut" direct, "whole" through']);
  });

  test('finds a truncated answer that is passed on as a whole one', async () => {
    expect(await differencesBy({ body: 'gather' }, { ...everything, abortAfter: 4 })).not.toEqual([]);
  });

  test('distinguishes a streaming way from a gathering one', async () => {
    const proxies: TestProxy[] = [];
    const arrivedBy = async (alteration: Alteration): Promise<{ readonly sent: number; readonly arrived: number }> =>
      bytesBeforeHold(
        {
          dialect: 'anthropic',
          request,
          answer: everything,
          patience: 1000,
          way: async (port, onPiece) => {
            const proxy = await startProxy(port, alteration);
            proxies.push(proxy);
            return askAt(`http://127.0.0.1:${proxy.port}`, { onPiece });
          },
        },
        5,
      );
    const streaming = await arrivedBy({});
    expect(streaming.arrived).toBe(streaming.sent);
    expect(await arrivedBy({ body: 'gather' })).toEqual({ sent: streaming.sent, arrived: 0 });
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  });
});

describe('the comparison of an SDK’s output', () => {
  // Bedrock's client speaks HTTP/2 in the clear, which this proxy does not.
  const clients = clientPrograms.filter(({ program, dialect }) => program !== 'bedrock' && dialect !== 'azure');

  async function compared(client: (typeof clients)[number], alteration: Alteration): Promise<readonly string[]> {
    const modes = [...client.whole, ...client.stream];
    const script = modes.map(() => everything);
    await using one = await startModelServer({ dialect: client.dialect, script });
    await using other = await startModelServer({ dialect: client.dialect, script });
    await using proxy = await startProxy(other.port, alteration);
    const lines = await compareClients(
      client,
      { url: `http://127.0.0.1:${one.port}`, modes },
      { url: `http://127.0.0.1:${proxy.port}` },
    );
    return [...lines, ...compareRequests(one.requests, other.requests)];
  }

  test.each(clients)('finds no difference through a proxy that passes everything on: $name', async (client) => {
    expect(await compared(client, {})).toEqual([]);
  });

  test('finds an altered text', async () => {
    const [client] = clients;
    expect(
      client &&
        (await compared(client, {
          piece: (piece) => Buffer.from(piece.toString('latin1').replace('pieces', 'pIeces'), 'latin1'),
        })),
    ).toEqual([
      expect.stringMatching(/^line of whole: .*pIeces/u),
      expect.stringMatching(/^line of stream: .*pIeces/u),
    ]);
  });
});

/** Each in its own proxy. Those of 100 MB run only without one. */
const small = badExchanges.filter(({ name }) => !name.includes('100 MB'));

async function judgedBy(exchange: (typeof badExchanges)[number], alteration: Alteration): Promise<Judgement> {
  const proxies: TestProxy[] = [];
  const through = await witness(exchange, async (port) => {
    const proxy = await startProxy(port, alteration);
    proxies.push(proxy);
    return proxy.port;
  });
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  return judge(exchange, await witness(exchange, (port) => port), through);
}

/** A few at a time: many wait for a silence, and each runs in this process. */
async function forAll<Result>(
  exchanges: typeof badExchanges,
  what: (exchange: (typeof badExchanges)[number]) => Promise<Result>,
): Promise<readonly (readonly [string, Result])[]> {
  const results: (readonly [string, Result])[] = [];
  for (let at = 0; at < exchanges.length; at += 8)
    results.push(
      ...(await Promise.all(
        exchanges.slice(at, at + 8).map(async (exchange) => [exchange.name, await what(exchange)] as const),
      )),
    );
  return results;
}

/** Names of exchanges whose result differs from `expected`. */
async function judgedOtherwise(
  exchanges: typeof badExchanges,
  alteration: Alteration,
  expected: Judgement,
): Promise<readonly string[]> {
  const judged = await forAll(exchanges, (exchange) => judgedBy(exchange, alteration));
  return judged.filter(([, judgement]) => judgement !== expected).map(([name, judgement]) => `${name}: ${judgement}`);
}

describe('bad exchanges', () => {
  test('have unique names', () => {
    expect(new Set(badExchanges.map(({ name }) => name)).size).toBe(badExchanges.length);
  });

  test.each(badExchanges.filter((exchange) => !small.includes(exchange)))(
    '$name is answered by the server itself',
    async (exchange) => {
      const {
        exchange: { bytes },
        requests,
      } = await witness(exchange, (port) => port);
      expect([answerIn(bytes)?.status, requests.length]).toEqual([exchange.direct, 1]);
    },
  );

  test('get their stated status from the server itself', async () => {
    const statuses = await forAll(
      small,
      async (exchange) => answerIn((await witness(exchange, (port) => port)).exchange.bytes)?.status ?? 'nothing',
    );
    expect(statuses).toEqual(small.map(({ name, direct }) => [name, direct]));
  });

  test('are the same through a proxy that passes everything on', async () => {
    expect(await judgedOtherwise(small, {}, 'same')).toEqual([]);
  });

  test('are recognised if altered on arrival', async () => {
    const arriving = small.filter(({ direct, dialect }) => direct === 200 && dialect === 'anthropic');
    expect(
      await judgedOtherwise(
        arriving,
        { request: (body) => Buffer.concat([body, Buffer.from(' ')]) },
        'altered request',
      ),
    ).toEqual([]);
  });

  test('show their changes in the response', async () => {
    const answered = small.filter(
      ({ name, direct }) => (direct === 200 || direct === 502) && !name.includes('no content'),
    );
    expect(
      await judgedOtherwise(
        answered,
        { piece: (piece) => Buffer.concat([piece, Buffer.from('\n')]) },
        'altered answer',
      ),
    ).toEqual([]);
  });

  /** Compares two answers to one identical request. */
  function judgedAnswers(direct: string, through: string): Judgement {
    const witnessed = (text: string): Witnessed => ({
      exchange: { bytes: Buffer.from(text, 'latin1'), end: 'ended' },
      requests: [],
    });
    return judge(
      { name: 'example', dialect: 'openai', request: () => [], direct: 200 },
      witnessed(direct),
      witnessed(through),
    );
  }

  test.each([
    {
      name: 'in other chunks',
      direct: 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
      through: 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n',
      expected: 'same',
    },
    {
      name: 'with a length',
      direct: 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
      through: 'Content-Length: 2\r\n\r\nab',
      expected: 'same',
    },
    {
      name: 'ended where it was cut off',
      direct: 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n',
      through: 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
      expected: 'altered answer',
    },
    {
      name: 'ended where it was shorter than it says',
      direct: 'Content-Length: 3\r\n\r\nab',
      through: 'Content-Length: 2\r\n\r\nab',
      expected: 'altered answer',
    },
  ] as const)('are judged by an answer’s content: $name', ({ direct, through, expected }) => {
    expect(judgedAnswers(`HTTP/1.1 200 OK\r\n${direct}`, `HTTP/1.1 200 OK\r\n${through}`)).toBe(expected);
  });

  test.each([
    { name: 'in other frames', direct: '\x81\x02hi', through: '\x01\x01h\x80\x01i', expected: 'same' },
    { name: 'another text', direct: '\x81\x02hi', through: '\x81\x02ho', expected: 'altered answer' },
    { name: 'a binary message', direct: '\x81\x02hi', through: '\x82\x02hi', expected: 'altered answer' },
    { name: 'two messages for one', direct: '\x81\x02hi', through: '\x81\x01h\x81\x01i', expected: 'altered answer' },
    { name: 'a ping less', direct: '\x89\x00\x81\x02hi', through: '\x81\x02hi', expected: 'altered answer' },
    { name: 'a message that does not end', direct: '\x81\x02hi', through: '\x01\x02hi', expected: 'altered answer' },
    {
      name: 'a message that is masked, with another text',
      direct: '\x81\x82\x00\x00\x00\x00hi',
      through: '\x81\x82\x00\x00\x00\x00ho',
      expected: 'altered answer',
    },
    { name: 'an error event', direct: '\x81\x02hi', through: '\x81\x10{"type":"error"}', expected: 'refused' },
    { name: 'a close', direct: '\x81\x02hi', through: '\x88\x02\x03\xe8', expected: 'refused' },
  ] as const)('are judged by a WebSocket’s messages: $name', ({ direct, through, expected }) => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
    expect(judgedAnswers(`${head}${direct}`, `${head}${through}`)).toBe(expected);
  });

  test('are refused if nothing arrives and the answer has the provider’s form', async () => {
    const ways: Readonly<Record<ServerDialect, string>> = {
      anthropic: '{"type":"error","error":{"type":"permission_error","message":"no"}}',
      openai: '{"error":{"type":"x","message":"no"}}',
      azure: '{"error":{"type":"x","message":"no"}}',
      gemini: '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"no"}}',
      bedrock: '{"message":"no"}',
      ollama: '{"error":"no"}',
    };
    for (const dialect of Object.keys(ways) as ServerDialect[]) {
      const exchange = { name: dialect, dialect, request: () => [], direct: 200 } as const;
      const direct = {
        exchange: { bytes: Buffer.from('HTTP/1.1 200 OK\r\n\r\n{}'), end: 'ended' },
        requests: [],
      } as const;
      const refusedWith = (body: string): Judgement =>
        judge(exchange, direct, {
          exchange: { bytes: Buffer.from(`HTTP/1.1 403 Forbidden\r\n\r\n${body}`), end: 'ended' },
          requests: [],
        });
      expect([dialect, refusedWith(ways[dialect]), refusedWith('{"why":"no"}'), refusedWith('no')]).toEqual([
        dialect,
        'refused',
        'altered answer',
        'altered answer',
      ]);
    }
  });
});
