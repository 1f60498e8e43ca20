import { once } from 'node:events';
import { request } from 'node:https';
import { connect as connectHttp2 } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { startFront } from './testing/front.ts';
import { http2Upstream, httpsUpstream } from './testing/servers.ts';

const events = 30;
const eventOf = (index: number): string => `data: ${index}\n\n`;
const all = Array.from({ length: events }, (_, index) => eventOf(index)).join('');

/**
 * Reads events, and has the next one sent only when there is the one before: what is kept back until more comes never
 * arrives.
 */
async function readOneByOne(stream: AsyncIterable<Buffer>, send: (text: string) => unknown): Promise<string> {
  let seen = '';
  send(eventOf(0));
  for await (const chunk of stream) {
    seen += String(chunk);
    if (seen.length >= all.length) break;
    if (seen.endsWith('\n\n')) send(eventOf(seen.split('\n\n').length - 1));
  }
  return seen;
}

test('over HTTP/1.1 the head comes before the first event, and no event waits for another', async () => {
  const answering = Promise.withResolvers<(text: string) => unknown>();
  await using upstream = await httpsUpstream((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    answering.resolve((text) => response.write(text));
  });
  await using front = await startFront({ upstreamPort: upstream.port });
  const asked = request({
    host: '127.0.0.1',
    port: front.port,
    servername: 'api.test',
    rejectUnauthorized: false,
    headers: { Host: 'api.test' },
  });
  asked.end();
  // The destination says nothing until its head has come.
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(await readOneByOne(response, await answering.promise)).toBe(all);
});

test('the same holds over HTTP/2', async () => {
  const answering = Promise.withResolvers<(text: string) => unknown>();
  await using upstream = await http2Upstream((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
    answering.resolve((text) => stream.write(text));
  });
  await using front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
  const session = connectHttp2(`https://api.test:${front.port}`, {
    createConnection: () =>
      connectTls({
        port: front.port,
        host: '127.0.0.1',
        servername: 'api.test',
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      }),
  });
  const stream = session.request({ ':path': '/', ':authority': 'api.test' });
  await once(stream, 'response');
  expect(await readOneByOne(stream, await answering.promise)).toBe(all);
  session.destroy();
});
