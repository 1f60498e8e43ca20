import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../../scripts/testing/work-time.ts';
import { requestFraming } from './framing.ts';
import { parseRequestHead, type RequestHead } from './field-lines.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const parsed = (text: string): RequestHead => {
  const head = parseRequestHead(text);
  if (head.kind === 'problem') throw new Error(head.message);
  return head;
};

describe('heads', () => {
  test('are parsed into their parts', () => {
    expect(
      parsed(
        "M-Search /a?b=c HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nX-Blanks: \t a b\t \r\n!#$%&'*+-.^_`|~9: \u0080\u00ff",
      ),
    ).toEqual({
      kind: 'head',
      method: 'M-Search',
      target: '/a?b=c',
      minor: 1,
      fields: [
        { name: 'Host', key: 'host', value: 'a' },
        { name: 'X-Empty', key: 'x-empty', value: '' },
        { name: 'X-Blanks', key: 'x-blanks', value: 'a b' },
        { name: "!#$%&'*+-.^_`|~9", key: "!#$%&'*+-.^_`|~9", value: '\u0080\u00ff' },
      ],
    });
    expect(parsed('GET /\u00e9 HTTP/1.0')).toMatchObject({ target: '/%E9', minor: 0, fields: [] });
  });

  test.each([
    ['', 400],
    ['GET', 400],
    ['GET /', 400],
    ['GET / HTTP/1.1 ', 400],
    [' GET / HTTP/1.1', 400],
    ['GET /  HTTP/1.1', 400],
    ['G(T / HTTP/1.1', 400],
    [`${'G'.repeat(65)} / HTTP/1.1`, 400],
    ['GET / http/1.1', 400],
    ['GET / HTTP/1.1\r\n', 400],
    ['GET / HTTP/1.1\r\nA', 400],
    ['GET / HTTP/1.1\r\nA : b', 400],
    ['GET / HTTP/1.1\r\n A: b', 400],
    ['GET / HTTP/1.1\r\nA: b\n', 400],
    ['GET / HTTP/1.1\r\nA: \u007f', 400],
    ['GET /#a HTTP/1.1', 400],
    ['GET / HTTP/3.0', 505],
    [`GET /${'a'.repeat(33_000)} HTTP/1.1`, 414],
    [`GET / HTTP/1.1${'\r\na: b'.repeat(257)}`, 431],
  ])('%j are refused with %d', (text, status) => {
    expect(parseRequestHead(text)).toMatchObject({ kind: 'problem', status });
  });

  test('are judged in linear time', () => {
    atMost(6000, () => {
      for (const unit of [' ', '\t', 'a', ':', '\u00ff', '\r', '%']) {
        parseRequestHead(`GET / HTTP/1.1\r\nA: x${unit.repeat(60_000)}\u0001`);
        parseRequestHead(`GET ${unit.repeat(60_000)}`);
        parseRequestHead(`${unit.repeat(60_000)}: x`);
      }
    });
  });
});

describe('framing', () => {
  const framingOf = (lines: readonly string[], minor = 1) =>
    requestFraming(parsed([`POST / HTTP/1.${minor}`, ...lines].join('\r\n')));

  test.each([
    [[], { kind: 'none' }],
    [['Content-Length: 0'], { kind: 'length', length: 0 }],
    [['content-length: 0042'], { kind: 'length', length: 42 }],
    [['Content-Length: 999999999999999'], { kind: 'length', length: 999_999_999_999_999 }],
    [['transfer-ENCODING: Chunked'], { kind: 'chunked' }],
  ])('of %j', (lines, framing) => {
    expect(framingOf(lines)).toEqual(framing);
  });

  test.each([
    [['Content-Length: 1', 'Content-Length: 1']],
    [['Content-Length: 1', 'Transfer-Encoding: chunked']],
    [['Content-Length: 1e3']],
    [['Content-Length: 1000000000000000']],
    [['Content-Length: \u00b2']],
    [['Transfer-Encoding: chunked, chunked']],
    [['Transfer-Encoding: chunked;q=1']],
    [['Connection: Transfer-Encoding', 'Transfer-Encoding: chunked']],
  ])('of %j is invalid', (lines) => {
    expect(framingOf(lines)).toMatchObject({ kind: 'problem', status: 400 });
  });

  test('of HTTP/1.0 cannot be chunked', () => {
    expect(framingOf(['Transfer-Encoding: chunked'], 0)).toMatchObject({ kind: 'problem' });
  });
});

/** Heads that are often valid and often a little off. */
const line = fc
  .array(
    fc.constantFrom(
      'Host',
      'Content-Length',
      'Transfer-Encoding',
      'X-A',
      ':',
      ' ',
      '\t',
      'chunked',
      '1',
      '0',
      ',',
      '\r',
      '\n',
      'a',
      '\u00e9',
      '\0',
      '"',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const usual = fc.constantFrom(
  'X-A: b',
  'Content-Length: 3',
  'Transfer-Encoding: chunked',
  'Accept: */*',
  'Connection: keep-alive',
);
const start = fc.constantFrom(
  'GET / HTTP/1.1',
  'POST /a?b HTTP/1.1',
  'POST * HTTP/1.1',
  'PUT /%2e HTTP/1.0',
  'GET  / HTTP/1.1',
  'GET /\t HTTP/1.1',
);
const head = fc
  .tuple(start, fc.array(fc.oneof({ weight: 4, arbitrary: usual }, line), { maxLength: 4 }))
  .map(([first, lines]) => [first, 'Host: a.test', ...lines].join('\r\n'));

test('Node’s parser reads every accepted head the same way', async () => {
  let seen: readonly unknown[] | undefined;
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { method, url, rawHeaders } = request;
    seen = [method, url, rawHeaders];
    response.end();
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const askNode = (text: string): Promise<void> =>
    new Promise((resolve) => {
      seen = undefined;
      const socket = connect(port, '127.0.0.1', () => socket.end(Buffer.from(`${text}\r\n\r\n`, 'latin1')));
      socket
        .on('error', () => undefined)
        .on('close', () => resolve())
        .resume();
    });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(head, async (text) => {
      const ours = parseRequestHead(text);
      if (ours.kind === 'problem' || requestFraming(ours).kind === 'problem') return;
      await askNode(text);
      compared += 1;
      expect(seen).toEqual([ours.method, ours.target, ours.fields.flatMap(({ name, value }) => [name, value])]);
    }),
    { numRuns: rounds(600) },
  );
  server.close();
  expect(compared).toBeGreaterThan(50);
});
