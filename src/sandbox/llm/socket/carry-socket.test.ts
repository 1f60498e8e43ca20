import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { startFront } from '../../../egress/http/testing/front.ts';
import { http2Upstream } from '../../../egress/http/testing/servers.ts';
import { framesOf, messagesIn } from '../../../credentials/websocket/testing/frames.ts';
import { field } from '../../../egress/index.ts';
import { modelGateway } from '../model-gateway.ts';
import { exchange, gatewayOf, key, openai, ruleOf, settingsOf } from '../testing/gateway.ts';
import { create, openSocket, said, settled } from './testing/socket.ts';

describe('the handshake', () => {
  test('goes on without extensions, with its protocols', async () => {
    const { handshake, answer } = await openSocket(gatewayOf(), { headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate', 'Sec-WebSocket-Protocol': 'a, b' } });
    expect([handshake?.fields, answer.kind === 'response' && answer.status]).toEqual([[field('Sec-WebSocket-Protocol', 'a, b')], 101]);
  });

  test.each(['/v1/realtime?model=x', '/v1/chat/completions', '/v1/files', '/v1beta/models/g:generateContent'])('of %s is refused as the provider would', async (target) => {
    const gateway = gatewayOf();
    const { handshake, answer } = await openSocket(gateway, { target });
    expect([handshake, answer.kind === 'response' && answer.status]).toEqual([undefined, 403]);
    expect(gateway.events).toMatchObject([{ type: 'model', refusal: { code: 'websocket' }, usd: 0 }]);
  });

  test('that a server does not take up is answered by it, and is no call', async () => {
    const gateway = gatewayOf();
    const { answer, text } = await exchange(gateway, { to: openai, method: 'GET', target: '/v1/responses', upgrade: 'websocket' }, { status: 401, text: () => 'who?' });
    expect([answer.kind === 'response' && answer.status, text, gateway.events]).toEqual([401, 'who?', []]);
  });
});

describe('the tunnel', () => {
  test.each(['client', 'server'] as const)('ends with 1002 on both sides for bytes of the %s that are no frames, and the call was none that is complete', async (who) => {
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
  });

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
  await using front = await startFront({ alpn: 'h2', host: 'api.openai.com', upstreamPort: upstream.port, port: 443, interceptors: [modelGateway(gateway)] });
  const session = connectHttp2('https://api.openai.com', { createConnection: () => connectTls({ port: front.port, host: '127.0.0.1', servername: 'api.openai.com', rejectUnauthorized: false, ALPNProtocols: ['h2'] }) });
  while (session.remoteSettings?.enableConnectProtocol !== true) await once(session, 'remoteSettings');
  const stream = session.request({ ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/v1/responses', ':authority': 'api.openai.com', 'sec-websocket-version': '13' });
  let told = Buffer.alloc(0);
  stream.on('error', () => undefined).on('data', (bytes: Buffer) => {
    told = Buffer.concat([told, bytes]);
  });
  stream.write(framesOf([said(create(key)), said('no JSON')], 'server'));
  await expect.poll(() => messagesIn(heard, 'client').length).toBe(1);
  expect(messagesIn(heard, 'client')[0]?.text).toMatch(/^\{"type":"response\.create","model":"gpt-5","input":"ghp_(?!sandbox)[A-Za-z0-9]{36}"\}$/u);
  expect(heard.includes(key)).toBe(false);
  await expect.poll(() => messagesIn(told, 'server').map(({ text }) => text.slice(0, 15))).toEqual(['{"type":"error"']);
  session.destroy();
  await expect.poll(() => gateway.events.map((event) => (event.type === 'model' ? event.status : event.type))).toEqual(['dlp', 400, 0]);
});
