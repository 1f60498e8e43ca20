import { once } from 'node:events';
import { request } from 'node:https';
import { connect as connectHttp2 } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startFront } from './testing/front.ts';
import { http2Upstream, httpsUpstream } from './testing/servers.ts';

const events = 30;
/** Microseconds on any clock of this process. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Reads events that say when they were sent, and gives how long each was under way. */
async function delays(stream: AsyncIterable<Buffer>): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const chunk of stream) {
    const arrived = now();
    for (const [, sent] of String(chunk).matchAll(/data: (\d+)\n\n/g)) found.push(arrived - Number(sent));
    if (found.length >= events) break;
  }
  return found;
}

async function emit(write: (text: string) => unknown): Promise<void> {
  for (let index = 0; index < events; index += 1) {
    write(`data: ${now()}\n\n`);
    await sleep(5);
  }
}

test('over HTTP/1.1 the head comes before the first event, and no event waits for another', async () => {
  await using upstream = await httpsUpstream(async (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    await sleep(30);
    await emit((text) => response.write(text));
    response.end();
  });
  await using front = await startFront({ upstreamPort: upstream.port });
  const asked = request({ host: '127.0.0.1', port: front.port, servername: 'api.test', rejectUnauthorized: false, headers: { Host: 'api.test' } });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const headAt = now();
  const found = await delays(response);
  expect(found).toHaveLength(events);
  console.log(`HTTP/1.1: an event is under way for ${median(found)} µs`);
  expect(median(found)).toBeLessThan(2000);
  expect(now() - headAt).toBeGreaterThan(30_000);
});

test('over HTTP/2 as well', async () => {
  await using upstream = await http2Upstream(async (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
    await sleep(30);
    await emit((text) => stream.write(text));
    stream.end();
  });
  await using front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
  const session = connectHttp2(`https://api.test:${front.port}`, { createConnection: () => connectTls({ port: front.port, host: '127.0.0.1', servername: 'api.test', rejectUnauthorized: false, ALPNProtocols: ['h2'] }) });
  const stream = session.request({ ':path': '/', ':authority': 'api.test' });
  await once(stream, 'response');
  const found = await delays(stream);
  expect(found).toHaveLength(events);
  console.log(`HTTP/2: an event is under way for ${median(found)} µs`);
  expect(median(found)).toBeLessThan(2000);
  session.destroy();
});
