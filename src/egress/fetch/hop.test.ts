import { once } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dial } from '../dial/dial.ts';
import { socketOf, vettedOf } from '../dial/testing/loopback.ts';
import { decideUrl } from '../ssrf/decide-url.ts';
import { fetchOnce, followRedirect } from './hop.ts';
import { rawWeb } from './testing/web.ts';
import type { Hop } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

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
  test('is a single one, in origin form, with one host and no further bytes', async () => {
    const heads: string[] = [];
    const port = await rawWeb((socket, head) => {
      heads.push(head);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await fetchOnce(hop('https://a.test/x?y=1#z', { headers: { accept: 'text/plain' } }), await over(port), options);
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
    await fetchOnce(hop(url), await over(port), options);
    expect(sent).toContain(`\r\nhost: ${host}\r\n`);
    expect(sent.match(/host:/g)?.length).toBe(1);
  });

  test.each(['/a%0d%0aX:%20y', '/%00', '/\u00e4?\u00f6=\u{1f600}'])('a path of %j stays in its line', async (path) => {
    let sent = '';
    const port = await rawWeb((socket, head) => {
      sent = head;
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await fetchOnce(hop(`http://a.test${path}`), await over(port), options);
    expect(sent.split('\r\n')[0]).toMatch(/^GET \/[\x21-\x7e]* HTTP\/1\.1$/);
    expect(sent).not.toMatch(/^X:/m);
  });
});

describe('the connection', () => {
  test.each([
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    [
      'an answer with more bytes after it',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil',
    ],
    ['keep-alive', 'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'],
    ['garbage', 'garbage\r\n\r\n'],
  ])('is closed after %s', async (_, reply) => {
    const port = await rawWeb((socket) => void socket.write(reply));
    const socket = await over(port);
    const answer = await fetchOnce(hop('http://a.test/'), socket, options);
    if (!socket.closed) await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
    if (answer.kind === 'answer') expect(answer.bytes.toString()).toBe('ok');
  });

  test('is closed if the time is up before it began', async () => {
    const port = await rawWeb(() => undefined);
    const socket = await over(port);
    expect((await fetchOnce(hop('http://a.test/'), socket, { maxBytes: 1, signal: AbortSignal.abort() })).kind).toBe(
      'refused',
    );
    expect(socket.destroyed).toBe(true);
  });
});

test('does not wait for a redirect’s content', async () => {
  const port = await rawWeb(
    (socket) => void socket.write('HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 1000000\r\n\r\n'),
  );
  const socket = await over(port);
  // Its content never comes.
  expect(await fetchOnce(hop('http://a.test/'), socket, options)).toMatchObject({
    status: 302,
    location: '/x',
    bytes: Buffer.alloc(0),
  });
  expect(socket.destroyed).toBe(true);
});

describe('redirect', () => {
  function hop(url: string, more: Partial<Hop> = {}): Hop {
    const decided = decideUrl(url);
    if (decided.kind === 'refused') throw new Error(decided.refusal.message);
    return { kind: 'hop', decided, method: 'GET', headers: {}, ...more };
  }

  function next(from: string, location: string, status = 302): string {
    const followed = followRedirect(hop(from), { status, location });
    if (followed === undefined) return 'the last';
    return followed.kind === 'hop' ? followed.decided.url.href : followed.refusal.code;
  }

  describe('locations', () => {
    test.each([
      ['https://a.test/x/y?z', 'https://b.test/', 'https://b.test/'],
      ['https://a.test/x/y?z', '//b.test/c', 'https://b.test/c'],
      ['https://a.test/x/y?z', '/c', 'https://a.test/c'],
      ['https://a.test/x/y?z', 'c', 'https://a.test/x/c'],
      ['https://a.test/x/y?z', '../c', 'https://a.test/c'],
      ['https://a.test/x/y?z', '?c', 'https://a.test/x/y?c'],
      ['https://a.test/x/y?z', '#c', 'https://a.test/x/y?z'],
      ['https://a.test/x/y?z', '', 'https://a.test/x/y?z'],
      ['http://a.test/', 'https://a.test/', 'https://a.test/'],
      ['http://a.test:8080/x', '/c', 'http://a.test:8080/c'],
      ['http://[2001:200::1]:8080/x', '/c', 'http://[2001:200::1]:8080/c'],
      ['https://a.test/', 'http://a.test/', 'upstream-protocol'],
      ['https://a.test/', 'HTTP://b.test/', 'upstream-protocol'],
      ['https://a.test/', 'http:b', 'malformed-host'],
      ['https://a.test/', '\\\\b.test', 'malformed-host'],
      ['https://a.test/', '/\\b.test', 'malformed-host'],
      ['https://a.test/', '/a b', 'malformed-host'],
      ['https://a.test/', '/a\tb', 'malformed-host'],
      ['https://a.test/', '///b.test/', 'malformed-host'],
      ['https://a.test/', 'https://user@b.test/', 'malformed-host'],
      ['https://a.test/', `/${'a'.repeat(9000)}`, 'malformed-host'],
    ])('from %s, %j leads to %s', (...[from, location, expected]) => {
      expect(next(from, location)).toBe(expected);
    });

    test('any answer leads to a URL that passes, or to a refusal', () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.webUrl(), fc.webPath()), (location) => {
          const followed = followRedirect(hop('https://a.test/x'), { status: 302, location });
          if (followed?.kind !== 'hop') return;
          expect(decideUrl(followed.decided.url.href).kind).toBe('url');
          expect(followed.decided.scheme).toBe('https');
        }),
        { numRuns: rounds(300) },
      );
    });
  });

  describe('statuses', () => {
    test.each([200, 201, 204, 300, 304, 305, 306, 309, 404, 500])('%i is the last answer', (status) => {
      expect(next('https://a.test/', '/b', status)).toBe('the last');
    });

    test('a redirect without a location is the last answer', () => {
      expect(followRedirect(hop('https://a.test/'), { status: 302 })).toBeUndefined();
    });

    test.each([
      [301, 'POST', 'GET'],
      [302, 'POST', 'GET'],
      [303, 'PUT', 'GET'],
      [303, 'HEAD', 'HEAD'],
      [307, 'POST', 'POST'],
      [308, 'PUT', 'PUT'],
    ])('%i turns %s into %s', (...[status, method, expected]) => {
      const body = Buffer.from('x');
      const followed = followRedirect(
        hop('https://a.test/', { method, body, headers: { 'content-type': 'text/plain' } }),
        { status, location: '/b' },
      );
      expect(followed).toMatchObject({ kind: 'hop', method: expected });
      const keeps = status >= 307;
      expect(followed?.kind === 'hop' && followed.body !== undefined).toBe(keeps);
      expect(followed?.kind === 'hop' && 'content-type' in followed.headers).toBe(keeps);
    });
  });

  describe('credentials', () => {
    const headers = { authorization: 'Bearer x', 'x-api-key': 'k', accept: 'a' };

    test.each(['https://a.test/b', '/b', 'https://A.test:443/'])('stay on the same origin: %s', (location) => {
      expect(followRedirect(hop('https://a.test/', { headers }), { status: 302, location })).toMatchObject({ headers });
    });

    test.each(['https://b.test/', 'https://a.test:8443/', 'https://a.test.evil.test/', 'https://sub.a.test/'])(
      'are dropped across origins: %s',
      (location) => {
        const followed = followRedirect(hop('https://a.test/', { headers }), { status: 307, location });
        expect(followed?.kind === 'hop' ? followed.headers : undefined).toEqual({ accept: 'a' });
      },
    );

    test('are dropped from http to https too', () => {
      const followed = followRedirect(hop('http://a.test/', { headers }), { status: 301, location: 'https://a.test/' });
      expect(followed?.kind === 'hop' ? followed.headers : undefined).toEqual({ accept: 'a' });
    });
  });
});
