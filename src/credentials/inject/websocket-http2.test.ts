import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { startFront } from '../../egress/http/testing/front.ts';
import { http2Upstream } from '../../egress/http/testing/servers.ts';
import { opcodes } from '../websocket/frame-head.ts';
import { closeFrame, writeFrame } from '../websocket/framed-tunnel.ts';
import { credentialInterceptor } from './interceptor.ts';
import { credentialOf, secretOf, testContext } from './testing/context.ts';

/** A text message in one frame. */
const message = (text: string): Buffer =>
  writeFrame({ opcode: opcodes.text, isFinal: true, payload: Buffer.from(text) }, 'server');

// Source: RFC 8441 §4. No client library speaks it, so that the frames are written by hand.
test('a WebSocket over HTTP/2 is opened with the secret, masked, and ended before a phantom leaves in it', async () => {
  const context = testContext({ credentials: [credentialOf({ injection: { kind: 'bearer' } })] });
  let handshake: IncomingHttpHeaders = {};
  let heard = 0;
  await using upstream = await http2Upstream((stream, headers) => {
    handshake = headers;
    stream.respond({ ':status': 200 });
    stream.write(
      writeFrame(
        { opcode: opcodes.text, isFinal: true, payload: Buffer.from(`you are ${String(headers.authorization)}`) },
        'client',
      ),
    );
    stream.on('data', (bytes: Buffer) => (heard += bytes.length));
  });
  await using front = await startFront({
    alpn: 'h2',
    upstreamPort: upstream.port,
    port: 443,
    interceptors: [credentialInterceptor(context)],
  });
  const session = connectHttp2('https://api.test', {
    createConnection: () =>
      connectTls({
        port: front.port,
        host: '127.0.0.1',
        servername: 'api.test',
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      }),
  });
  while (session.remoteSettings?.enableConnectProtocol !== true) await once(session, 'remoteSettings');
  const stream = session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':scheme': 'https',
    ':path': '/',
    ':authority': 'api.test',
    'sec-websocket-version': '13',
    'sec-websocket-extensions': 'permessage-deflate',
    authorization: `Bearer ${context.phantom()}`,
  });
  let said = Buffer.alloc(0);
  stream.on('error', () => undefined).on('data', (bytes: Buffer) => (said = Buffer.concat([said, bytes])));
  await expect.poll(() => said.toString('latin1')).toContain(`you are Bearer ${'*'.repeat(secretOf('main').length)}`);
  expect([handshake.authorization, handshake['sec-websocket-extensions']]).toEqual([
    `Bearer ${secretOf('main')}`,
    undefined,
  ]);
  stream.write(message('hello'));
  await expect.poll(() => heard).toBe(message('hello').length);
  stream.write(message(`and ${context.phantom()}`));
  await once(stream, 'end');
  const ending = closeFrame(
    { status: 1008, reason: 'A message held a credential that must not leave the box.' },
    'client',
  );
  expect(said.subarray(-ending.length)).toEqual(ending);
  expect(heard).toBeLessThan(message('hello').length + message(`and ${context.phantom()}`).length + ending.length);
  expect(context.alarms.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
    'secret-reflected a WebSocket message',
    'phantom-misplaced a WebSocket message',
  ]);
  session.destroy();
});
