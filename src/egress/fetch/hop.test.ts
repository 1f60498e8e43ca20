import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { dial } from '../dial/dial.ts';
import { socketOf, vettedOf } from '../dial/testing/loopback.ts';
import { decideUrl } from '../ssrf/decide-url.ts';
import { exchange } from './hop.ts';
import type { Hop } from './types.ts';
import { rawWeb } from './testing/web.ts';

function hop(url: string, more: Partial<Hop> = {}): Hop {
  const decided = decideUrl(url);
  if (decided.kind === 'refused') throw new Error(decided.refusal.message);
  return { kind: 'hop', decided, method: 'GET', headers: {}, ...more };
}

const options = { maxBytes: 1000, signal: new AbortController().signal };

async function over(port: number) {
  return socketOf(await dial(vettedOf(port, '127.0.0.1')));
}

describe('the request on the wire', () => {
  test('is one, in origin form, with one host, and nothing after it', async () => {
    const heads: string[] = [];
    const port = await rawWeb((socket, head) => {
      heads.push(head);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await exchange(hop('https://a.test/x?y=1#z', { headers: { accept: 'text/plain' } }), await over(port), options);
    expect(heads).toEqual([
      'GET /x?y=1 HTTP/1.1\r\nhost: a.test\r\nuser-agent: holdfast-fetch\r\naccept: text/plain\r\naccept-encoding: gzip, deflate, br\r\nconnection: close\r\n\r\n',
    ]);
  });

  test.each([
    ['http://a.test/', 'a.test'],
    ['http://a.test:80/', 'a.test'],
    ['http://a.test:81/', 'a.test:81'],
    ['http://[2606:4700::1111]:81/', '[2606:4700::1111]:81'],
  ])('%s has the host %s', async (url, host) => {
    let sent = '';
    const port = await rawWeb((socket, head) => {
      sent = head;
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await exchange(hop(url), await over(port), options);
    expect(sent).toContain(`\r\nhost: ${host}\r\n`);
    expect(sent.match(/host:/g)?.length).toBe(1);
  });

  test.each(['/a%0d%0aX:%20y', '/%00', '/\u00e4?\u00f6=\u{1f600}'])('a path of %j stays in its line', async (path) => {
    let sent = '';
    const port = await rawWeb((socket, head) => {
      sent = head;
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await exchange(hop(`http://a.test${path}`), await over(port), options);
    expect(sent.split('\r\n')[0]).toMatch(/^GET \/[\x21-\x7e]* HTTP\/1\.1$/);
    expect(sent).not.toMatch(/^X:/m);
  });
});

describe('the connection', () => {
  test.each([
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    [
      'an answer with more behind it',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil',
    ],
    ['keep-alive', 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'],
    ['garbage', 'garbage\r\n\r\n'],
  ])('is closed after %s', async (_, reply) => {
    const port = await rawWeb((socket) => void socket.write(reply));
    const socket = await over(port);
    const answer = await exchange(hop('http://a.test/'), socket, options);
    if (!socket.closed) await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
    if (answer.kind === 'answer') expect(answer.bytes.toString()).toBe('ok');
  });

  test('is closed when the time is up before it began', async () => {
    const port = await rawWeb(() => undefined);
    const socket = await over(port);
    expect((await exchange(hop('http://a.test/'), socket, { maxBytes: 1, signal: AbortSignal.abort() })).kind).toBe(
      'refused',
    );
    expect(socket.destroyed).toBe(true);
  });
});

test('what a redirect says besides its location is not waited for', async () => {
  const port = await rawWeb(
    (socket) => void socket.write('HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 1000000\r\n\r\n'),
  );
  const socket = await over(port);
  // Its content never comes.
  expect(await exchange(hop('http://a.test/'), socket, options)).toMatchObject({
    status: 302,
    location: '/x',
    bytes: Buffer.alloc(0),
  });
  expect(socket.destroyed).toBe(true);
});
