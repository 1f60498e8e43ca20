import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunksOf } from '../../../credentials/masking/testing/chunks.ts';
import { opcodes } from '../../../credentials/websocket/frame-head.ts';
import { closeFrame } from '../../../credentials/websocket/framed-tunnel.ts';
import { startFront } from '../../../egress/http/testing/front.ts';
import { http2Upstream } from '../../../egress/http/testing/servers.ts';
import { framesOf, messagesIn } from '../../../credentials/websocket/testing/frames.ts';
import { field } from '../../../egress/http/message.ts';
import { modelGateway } from '../model-gateway.ts';
import { exchange, gatewayOf, key, openai, ruleOf, settingsOf } from '../testing/gateway.ts';
import { answering, create, eventsIn, openSocket, said, settled } from './testing/socket.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

describe('the handshake', () => {
  test('goes on without extensions, with its protocols', async () => {
    const { handshake, answer } = await openSocket(gatewayOf(), {
      headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate', 'Sec-WebSocket-Protocol': 'a, b' },
    });
    expect([handshake?.fields, answer.kind === 'response' && answer.status]).toEqual([
      [field('Sec-WebSocket-Protocol', 'a, b')],
      101,
    ]);
  });

  test.each(['/v1/realtime?model=x', '/v1/chat/completions', '/v1/files', '/v1beta/models/g:generateContent'])(
    'of %s is refused in the provider’s form',
    async (target) => {
      const gateway = gatewayOf();
      const { handshake, answer } = await openSocket(gateway, { target });
      expect([handshake, answer.kind === 'response' && answer.status]).toEqual([undefined, 403]);
      expect(gateway.events).toMatchObject([{ type: 'model', refusal: { code: 'websocket' }, usd: 0 }]);
    },
  );

  test('that a server declines gets its answer, and is not a call', async () => {
    const gateway = gatewayOf();
    const { answer, text } = await exchange(
      gateway,
      { to: openai, method: 'GET', target: '/v1/responses', upgrade: 'websocket' },
      { status: 401, text: () => 'who?' },
    );
    expect([answer.kind === 'response' && answer.status, text, gateway.events]).toEqual([401, 'who?', []]);
  });
});

describe('the tunnel', () => {
  test.each(['client', 'server'] as const)(
    'ends with 1002 on both sides for bytes of the %s that are no frames, and the call was none that is complete',
    async (who) => {
      const gateway = gatewayOf();
      const { client, server, say, heard, told } = await openSocket(gateway);
      heard();
      told();
      say(create('x'));
      (who === 'client' ? client : server).write(Buffer.from('ffff', 'hex'));
      await settled();
      expect([heard(), told()].map((texts) => texts.at(-1)?.slice(0, 4))).toEqual(['8 \u0003\u00ea', '8 \u0003\u00ea']);
      client.end();
      server.end();
      await settled();
      expect(gateway.events).toMatchObject([{ type: 'model', status: 0, completeness: 'partial' }]);
    },
  );

  test('ends, and nothing goes on, where the journal is lost', async () => {
    const lost = (): never => {
      throw new Error('the disk is full');
    };
    const { client, say, heard } = await openSocket(gatewayOf(settingsOf(), { record: lost }));
    heard();
    say(create(key));
    await settled();
    expect([heard(), client.destroyed]).toEqual([[], true]);
  });
});

// Source: RFC 8441 §4. No client library speaks it, so that the frames are written by hand.
test('over HTTP/2 messages are looked into alike', async () => {
  const gateway = gatewayOf(settingsOf({ dlp: [ruleOf({ decision: 'tokenize' })] }));
  let heard = Buffer.alloc(0);
  await using upstream = await http2Upstream((stream) => {
    stream.respond({ ':status': 200 });
    stream.on('data', (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
    });
  });
  await using front = await startFront({
    alpn: 'h2',
    host: 'api.openai.com',
    upstreamPort: upstream.port,
    port: 443,
    interceptors: [modelGateway(gateway)],
  });
  const session = connectHttp2('https://api.openai.com', {
    createConnection: () =>
      connectTls({
        port: front.port,
        host: '127.0.0.1',
        servername: 'api.openai.com',
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      }),
  });
  while (session.remoteSettings?.enableConnectProtocol !== true) await once(session, 'remoteSettings');
  const stream = session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':scheme': 'https',
    ':path': '/v1/responses',
    ':authority': 'api.openai.com',
    'sec-websocket-version': '13',
  });
  let told = Buffer.alloc(0);
  stream
    .on('error', () => undefined)
    .on('data', (bytes: Buffer) => {
      told = Buffer.concat([told, bytes]);
    });
  stream.write(framesOf([said(create(key)), said('no JSON')], 'server'));
  await expect.poll(() => messagesIn(heard, 'client').length).toBe(1);
  expect(messagesIn(heard, 'client')[0]?.text).toMatch(
    /^\{"type":"response\.create","model":"gpt-5","input":"ghp_(?!sandbox)[A-Za-z0-9]{36}"\}$/u,
  );
  expect(heard.includes(key)).toBe(false);
  await expect.poll(() => messagesIn(told, 'server').map(({ text }) => text.slice(0, 15))).toEqual(['{"type":"error"']);
  session.destroy();
  await expect
    .poll(() => gateway.events.map((event) => (event.type === 'model' ? event.status : event.type)))
    .toEqual(['dlp', 400, 0]);
});

const fakeIn = (texts: readonly string[]): string => /ghp_[A-Za-z0-9]{36}/u.exec(texts.join(''))?.[0] ?? 'none';
const piecesOf = (texts: readonly string[], lane?: string): string =>
  eventsIn(texts.filter((text) => text.startsWith('{')))
    .filter(({ type, stream_id: of }) => type === 'response.output_text.delta' && of === lane)
    .map(({ delta }) => String(delta))
    .join('');

describe('an answer', () => {
  test('has values in the place of fakes, in whatever pieces, frames and chunks; others come as they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          places: fc.array(fc.nat(60), { maxLength: 5 }),
          cuts: fc.array(fc.nat(300), { maxLength: 4 }),
          lengths: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }),
          opcode: fc.constantFrom(opcodes.text, opcodes.binary),
        }),
        async ({ places, cuts, lengths, opcode }) => {
          const { server, say, heard, told } = await openSocket(gatewayOf());
          heard();
          told();
          say(create(`deploy ${key}`));
          await settled();
          const text = `so I use ${fakeIn(heard())} there.`;
          const bounds = [
            0,
            ...places.map((place) => Math.min(place, text.length)).sort((one, other) => one - other),
            text.length,
          ];
          const events = answering(bounds.slice(1).map((end, index) => text.slice(bounds[index], end)));
          const others = [{ type: 'response.future' }, 'no JSON'];
          for (const chunk of chunksOf(
            framesOf(
              [...others, ...events].map((event) => ({ ...said(event), opcode, cuts })),
              'client',
            ),
            lengths,
          ))
            server.write(chunk);
          await settled();
          const texts = told().map((each) => (opcode === opcodes.text ? each : each.replace(/^2 /u, '')));
          expect(texts.slice(0, 2)).toEqual(['{"type":"response.future"}', 'no JSON']);
          expect(piecesOf(texts.slice(2))).toBe(`so I use ${key} there.`);
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test('in one lane has nothing of one in another, and each is a call of its own', async () => {
    const gateway = gatewayOf();
    const { say, tell, heard, told } = await openSocket(gateway);
    heard();
    told();
    say(create(`use ${key}`, { stream_id: 'a', model: 'one' }), create('other', { stream_id: 'b', model: 'two' }));
    await settled();
    const fake = fakeIn(heard());
    const lanes = [
      answering([fake.slice(0, 9), fake.slice(9)], { stream_id: 'a' }),
      answering(['ghp', '_ no'], { stream_id: 'b' }),
    ] as const;
    tell(...lanes[0].flatMap((event, index) => [event, lanes[1][index] ?? {}]));
    await settled();
    expect([piecesOf(told(), 'a'), piecesOf(told(), 'b')]).toEqual([key, 'ghp_ no']);
    expect(gateway.events.filter(({ type }) => type === 'model')).toMatchObject([
      { status: 200, completeness: 'complete', tokens: { output: 7 } },
      { status: 200, completeness: 'complete', tokens: { output: 7 } },
    ]);
  });

  test('cut off by the server gives its held-back text first, and is partial', async () => {
    const gateway = gatewayOf();
    const { say, tell, server, heard, told } = await openSocket(gateway);
    heard();
    told();
    say(create(key));
    await settled();
    tell(...answering([`it is ${fakeIn(heard()).slice(0, 20)}`]).slice(0, 2));
    server.write(closeFrame({ status: 1000, reason: '' }, 'client'));
    server.end();
    await settled();
    expect(piecesOf(told())).toBe(`it is ${fakeIn(heard()).slice(0, 20)}`);
    expect(told().at(-1)).toMatch(/^8 /u);
    expect(gateway.events.filter(({ type }) => type === 'model')).toMatchObject([
      { status: 200, completeness: 'partial' },
    ]);
  });

  test.each([
    ['client', 0],
    ['server', 0],
    ['client', 2],
    ['server', 2],
  ] as const)('is a call where the %s leaves after %i events', async (who, count) => {
    const gateway = gatewayOf();
    const { client, server, say, tell, heard, told } = await openSocket(gateway);
    heard();
    told();
    say(create('x'), create('y'));
    await settled();
    tell(...answering(['one']).slice(0, count));
    await settled();
    (who === 'client' ? client : server).destroy();
    await settled();
    expect(gateway.events).toMatchObject([
      { type: 'model', status: count === 0 ? 0 : 200, completeness: 'partial' },
      { type: 'model', status: 0, completeness: 'partial' },
    ]);
  });

  test('that never begins costs nothing; an unrequested one costs', async () => {
    const gateway = gatewayOf();
    const { say, tell, heard, told } = await openSocket(gateway);
    heard();
    told();
    say(create('x'));
    tell(
      { type: 'error', status: 400, error: { message: 'no' } },
      { type: 'response.steer.failed', error: {} },
      ...answering(['more ']),
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'stray ' },
    );
    await settled();
    expect(gateway.events).toMatchObject([
      { status: 400, completeness: 'complete' },
      { status: 200, completeness: 'complete', tokens: { output: 7 } },
    ]);
    expect(told()).toHaveLength(7);
  });

  test('that runs is not ended by an error about what waits behind it', async () => {
    const gateway = gatewayOf();
    const { say, tell, heard, told } = await openSocket(gateway);
    heard();
    told();
    const [first = {}, ...rest] = answering(['one']);
    say(create('x'), create('y'));
    tell(first, { type: 'error', status: 400, error: { message: 'no' } }, ...rest, {
      type: 'error',
      error: { message: 'no' },
    });
    await settled();
    expect(gateway.events).toMatchObject([
      { status: 400 },
      { status: 200, completeness: 'complete', tokens: { output: 7 } },
    ]);
  });

  test('that fails on its way is a call', async () => {
    const gateway = gatewayOf();
    const { say, tell, heard, told } = await openSocket(gateway);
    heard();
    told();
    say(create('x'));
    tell(...answering(['one']).slice(0, 2), { type: 'error', message: 'overloaded', sequence_number: 2 });
    await settled();
    expect(gateway.events).toMatchObject([{ status: 200, completeness: 'partial' }]);
  });
});

test('a message too long to inspect ends it on both sides', async () => {
  const { server, say, heard, told } = await openSocket(gatewayOf());
  heard();
  told();
  say(create('x'));
  const length = 65 * 2 ** 20;
  const head = Buffer.from('817f0000000000000000', 'hex');
  head.writeUInt32BE(length, 6);
  server.write(head);
  server.write(Buffer.alloc(length, ' '));
  await expect.poll(() => [told().length, heard().length]).toEqual([1, 2]);
  expect(told()[0]?.slice(0, 4)).toBe('8 \u0003\u00f1');
});
