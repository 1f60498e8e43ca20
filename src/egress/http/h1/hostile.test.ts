import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startFront } from '../testing/front.ts';
import { rawExchange } from '../testing/raw-client.ts';
import { httpUpstream, rawUpstream } from '../testing/servers.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const get = 'GET / HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n';

/** Pieces of requests and answers, which meet in every order. */
const piece = fc.constantFrom(
  'GET / HTTP/1.1\r\n',
  'POST /x HTTP/1.1\r\n',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 101 Switching\r\n',
  'Host: api.test\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: close\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n',
  'Expect: 100-continue\r\n',
  '\r\n',
  '3\r\nabc\r\n',
  '0\r\n\r\n',
  'abc',
  '\r',
  '\n',
  '\0',
  ' ',
);
const bytes = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** Sends bytes, waits for nothing, and goes away in one of the ways clients go away. */
async function hitAndRun(port: number, text: string, ending: 'end' | 'destroy' | 'resetAndDestroy'): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await new Promise<void>((resolve) => void socket.write(Buffer.from(text, 'latin1'), () => resolve()));
  await sleep(2);
  socket[ending]();
  socket.destroySoon();
}

test('any bytes of a client leave the front running and nothing behind', async () => {
  await using upstream = await httpUpstream((request, response) =>
    request
      .resume()
      .on('end', () => response.end('ok'))
      .on('error', () => undefined),
  );
  await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom('end', 'destroy', 'resetAndDestroy'), (text, ending) =>
      hitAndRun(front.port, text, ending),
    ),
    { numRuns: rounds(200) },
  );
  expect((await rawExchange(front.port, get, 'end')).text).toMatch(/^HTTP\/1\.1 200 [^]*ok$/);
  await expect.poll(front.open).toBe(0);
});

test('any bytes of a destination give the client an answer or an end, and leave the front running', async () => {
  let answer = '';
  await using upstream = await rawUpstream((socket) =>
    socket.on('data', () => socket.end(Buffer.from(answer, 'latin1'))),
  );
  await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
  await fc.assert(
    fc.asyncProperty(bytes, async (text) => {
      answer = text;
      const received = await rawExchange(front.port, get, 'end');
      expect(received.isClosed).toBe(true);
      expect(received.text).toMatch(/^(?:HTTP\/1\.1 \d{3} |$)/);
    }),
    { numRuns: rounds(150) },
  );
  await expect.poll(front.open).toBe(0);
});

test('a thousand clients with half a head hold only their connections, and the next one is served', async () => {
  await using upstream = await httpUpstream((_, response) => response.end('ok'));
  await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
  const sockets = Array.from({ length: 1000 }, () => connect(front.port, '127.0.0.1').on('error', () => undefined));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: api.te');
  await expect.poll(front.open).toBe(1000);
  expect((await rawExchange(front.port, get, 'end')).text).toMatch(/ok$/);
  expect(front.opened()).toBe(1);
  for (const socket of sockets) socket.destroy();
  await expect.poll(front.open).toBe(0);
});
