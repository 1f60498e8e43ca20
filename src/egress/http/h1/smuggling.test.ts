import { describe, expect, test } from 'vitest';
import { startFront } from '../testing/front.ts';
import { rawExchange } from '../testing/raw-client.ts';
import { httpUpstream, rawUpstream } from '../testing/servers.ts';

const host = 'Host: api.test\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';
/** A second request that a parser may find in the content of the first. */
const hidden = `GET /hidden HTTP/1.1\r\n${host}\r\n`;
const post = `POST / HTTP/1.1\r\n${host}`;

/** Each of these is a way to make two parsers see different requests, or to make one hold on for ever. */
const attacks: readonly (readonly [what: string, bytes: string, status: number])[] = [
  ['Content-Length and Transfer-Encoding', `${post}Content-Length: 6\r\n${chunked}\r\n0\r\n\r\n${hidden}`, 400],
  ['Transfer-Encoding and Content-Length', `${post}${chunked}Content-Length: 6\r\n\r\n0\r\n\r\n${hidden}`, 400],
  ['two lengths', `${post}Content-Length: 0\r\nContent-Length: 44\r\n\r\n${hidden}`, 400],
  ['the same length twice', `${post}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`, 400],
  ['a list of lengths', `${post}Content-Length: 1, 1\r\n\r\nx`, 400],
  ['a signed length', `${post}Content-Length: +1\r\n\r\nx`, 400],
  ['a negative length', `${post}Content-Length: -1\r\n\r\nx`, 400],
  ['a hexadecimal length', `${post}Content-Length: 0x1\r\n\r\nx`, 400],
  ['an empty length', `${post}Content-Length:\r\n\r\n`, 400],
  ['a length beyond 2^53', `${post}Content-Length: 9007199254740993\r\n\r\nx`, 400],
  ['a length with an underscore', `${post}Content_Length: 1\r\nContent-Length: 1_0\r\n\r\nx`, 400],
  [
    'a Transfer-Encoding with an underscore',
    `${post}Content-Length: 5\r\nTransfer_Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['a Content-Length with an underscore', `GET / HTTP/1.1\r\n${host}content_length: 1\r\n\r\n`, 400],
  ['gzip, chunked', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['chunked, identity', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`, 400],
  ['identity', `${post}Transfer-Encoding: identity\r\n\r\n${hidden}`, 400],
  ['chunked twice', `${post}${chunked}${chunked}\r\n0\r\n\r\n`, 400],
  ['xchunked', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
  ['chunked with a vertical tab', `${post}Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n`, 400],
  ['chunked in quotes', `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`, 400],
  ['an empty Transfer-Encoding', `${post}Transfer-Encoding:\r\n\r\n`, 400],
  ['chunked in HTTP/1.0', `POST / HTTP/1.0\r\n${host}${chunked}\r\n0\r\n\r\n`, 400],
  ['a folded field', `${post}X-A: 1\r\n ${chunked}\r\n0\r\n\r\n`, 400],
  ['a folded Transfer-Encoding', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a first field that is folded', `GET / HTTP/1.1\r\n ${host}\r\n`, 400],
  ['lines that end with LF', `GET / HTTP/1.1\n${host.replace('\r', '')}\n`, 400],
  ['one line that ends with LF', `GET / HTTP/1.1\r\n${host}X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a head that ends with LF LF', `GET / HTTP/1.1\r\nHost: api.test\n\n`, 400],
  ['a bare CR in a value', `GET / HTTP/1.1\r\n${host}X: a\rTransfer-Encoding: chunked\r\n\r\n`, 400],
  ['a bare CR in the request line', `GET /\r HTTP/1.1\r\n${host}\r\n`, 400],
  ['a NUL in a value', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
  ['a NUL in a name', `GET / HTTP/1.1\r\n${host}X\0: a\r\n\r\n`, 400],
  ['a NUL in the target', `GET /\0 HTTP/1.1\r\n${host}\r\n`, 400],
  ['a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a tab before the colon', `${post}Content-Length\t: 1\r\n\r\nx`, 400],
  ['a field without a name', `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`, 400],
  ['a field without a colon', `GET / HTTP/1.1\r\n${host}Nothing\r\n\r\n`, 400],
  ['a name in another alphabet', `GET / HTTP/1.1\r\n${host}X\u00e9: 1\r\n\r\n`, 400],
  ['two hosts', `GET / HTTP/1.1\r\n${host}Host: other.test\r\n\r\n`, 400],
  ['the same host twice', `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['no host', 'GET / HTTP/1.1\r\nX: y\r\n\r\n', 400],
  ['two blanks in the request line', `GET  / HTTP/1.1\r\n${host}\r\n`, 400],
  ['a tab in the request line', `GET\t/\tHTTP/1.1\r\n${host}\r\n`, 400],
  ['a blank at the end of the request line', `GET / HTTP/1.1 \r\n${host}\r\n`, 400],
  ['no version', `GET /\r\n${host}\r\n`, 400],
  ['version 0.9', `GET / HTTP/0.9\r\n${host}\r\n`, 505],
  ['version 1.2', `GET / HTTP/1.2\r\n${host}\r\n`, 505],
  ['version 2.0', `GET / HTTP/2.0\r\n${host}\r\n`, 505],
  ['a fragment', `GET /a#/../b HTTP/1.1\r\n${host}\r\n`, 400],
  ['a relative target', `GET a HTTP/1.1\r\n${host}\r\n`, 400],
  ['an asterisk with GET', `GET * HTTP/1.1\r\n${host}\r\n`, 400],
  ['a target of another scheme', `GET ftp://api.test/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['a length named in Connection', `${post}Connection: content-length\r\nContent-Length: 1\r\n\r\nx`, 400],
  ['a host named in Connection', `GET / HTTP/1.1\r\n${host}Connection: close, Host\r\n\r\n`, 400],
  ['another expectation', `${post}Expect: 200-ok\r\nContent-Length: 1\r\n\r\nx`, 417],
  ['bytes of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 400],
  ['an ssh client', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 400],
  ['another protocol in one line', 'SSH-2.0-OpenSSH_9.2\r\n', 400],
  ['Redis', 'PING\r\n', 400],
  ['Redis arrays', '*1\r\n$4\r\nPING\r\n', 400],
  ['a target of 40,000 octets', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`, 414],
  ['a head of 70,000 octets', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ['a head without end', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(70_000)}`, 431],
  ['300 fields', `GET / HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(300)}\r\n`, 431],
  ['TRACE', `TRACE / HTTP/1.1\r\n${host}\r\n`, 405],
  ['TRACK', `TRACK / HTTP/1.1\r\n${host}\r\n`, 405],
  ['trace in lower case', `trace / HTTP/1.1\r\n${host}\r\n`, 405],
  ['CONNECT', `CONNECT other.test:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ['CONNECT to itself', `CONNECT api.test:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ['a dot segment', `GET /a/../b HTTP/1.1\r\n${host}\r\n`, 400],
  ['an escaped dot segment', `GET /a/%2e%2e/b HTTP/1.1\r\n${host}\r\n`, 400],
  ['a dot segment after an escaped slash', `GET /a%2f..%2fb HTTP/1.1\r\n${host}\r\n`, 400],
  ['a dot segment with parameters', `GET /a/..;/b HTTP/1.1\r\n${host}\r\n`, 400],
  ['a doubly escaped dot segment', `GET /a/%252e%252e/b HTTP/1.1\r\n${host}\r\n`, 400],
  ['a backslash', `GET /a\\..\\b HTTP/1.1\r\n${host}\r\n`, 400],
  ['an escaped backslash', `GET /a%5cb HTTP/1.1\r\n${host}\r\n`, 400],
  ['an overlong slash', `GET /a%c0%afb HTTP/1.1\r\n${host}\r\n`, 400],
  ['an escaped NUL', `GET /a%00b HTTP/1.1\r\n${host}\r\n`, 400],
  ['an escaped line break', `GET /a%0d%0aX: HTTP/1.1\r\n${host}\r\n`, 400],
  ['half an escape', `GET /a%2 HTTP/1.1\r\n${host}\r\n`, 400],
  ['another host', 'GET / HTTP/1.1\r\nHost: other.test\r\n\r\n', 421],
  ['another port', 'GET / HTTP/1.1\r\nHost: api.test:1\r\n\r\n', 421],
  ['a host with credentials', 'GET / HTTP/1.1\r\nHost: api.test@other.test\r\n\r\n', 421],
  ['a host with a path', 'GET / HTTP/1.1\r\nHost: api.test/x\r\n\r\n', 421],
  ['a host with an escape', 'GET / HTTP/1.1\r\nHost: api%2etest\r\n\r\n', 421],
  ['a host in another alphabet', 'GET / HTTP/1.1\r\nHost: api\u00e3\u0080\u0082test\r\n\r\n', 421],
  ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 421],
  ['a URL of another host', `GET http://other.test/ HTTP/1.1\r\n${host}\r\n`, 421],
  ['a URL of another scheme', `GET https://api.test/ HTTP/1.1\r\n${host}\r\n`, 421],
  ['a URL that agrees with a host that does not', 'GET http://api.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n', 421],
  [
    'a WebSocket with an invalid key',
    `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
    400,
  ],
  [
    'a WebSocket with content',
    `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 1\r\n\r\nx`,
    400,
  ],
];

describe('a request is refused, at once and alone, if it has', () => {
  test.each(attacks)('%s', async (_, bytes, status) => {
    const seen: (string | undefined)[] = [];
    await using upstream = await httpUpstream((request, response) => {
      seen.push(request.url);
      response.end('reached');
    });
    await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
    // Anyone who cannot be understood is not listened to any further.
    const isLast = status === 400 && !bytes.includes('GET /a');
    const answer = await rawExchange(front.port, bytes, isLast ? 'end' : 1);
    expect(answer.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^\\r]+\\r\\n`));
    expect(answer.text).toMatch(/holdfast-refusal: [\w-]+\r\n[^]*Holdfast refused this request: [^\n]+\n[^]*Remedy: /);
    expect(seen).toEqual([]);
    expect(front.opened()).toBe(0);
    expect(front.records).toHaveLength(1);
    expect(front.records[0]).toMatchObject({
      status,
      refusal: { code: status === 421 ? 'authority-mismatch' : 'malformed-request' },
    });
    if (isLast) expect(answer.isClosed).toBe(true);
  });
});

/** The same in content that is under way already: the request breaks off, and nothing behind it is read. */
const badChunks: readonly (readonly [what: string, bytes: string])[] = [
  ['a size that is not a number', 'g\r\nx\r\n0\r\n\r\n'],
  ['a size in 0x', '0x1\r\nx\r\n0\r\n\r\n'],
  ['a signed size', '+1\r\nx\r\n0\r\n\r\n'],
  ['a size that overflows', `${'f'.repeat(17)}\r\nx\r\n0\r\n\r\n`],
  ['an empty size', '\r\nx\r\n0\r\n\r\n'],
  ['a size with a blank before it', ' 1\r\nx\r\n0\r\n\r\n'],
  ['a size line that ends with LF', '1\nx\r\n0\r\n\r\n'],
  ['a chunk longer than its size', '1\r\nxyz\r\n0\r\n\r\n'],
  ['a chunk that ends with LF', '1\r\nx\n0\r\n\r\n'],
  ['an extension with a LF', '1;a=\nb\r\nx\r\n0\r\n\r\n'],
  ['an extension with a CR', '1;a=\rb\r\nx\r\n0\r\n\r\n'],
  ['an extension without end', `1;${'a'.repeat(2000)}`],
  ['a folded trailer', '1\r\nx\r\n0\r\nA: b\r\n c\r\n\r\n'],
  ['a trailer without a name', '1\r\nx\r\n0\r\nnothing\r\n\r\n'],
  ['trailers without end', `1\r\nx\r\n0\r\n${'a: b\r\n'.repeat(4000)}`],
];

describe('chunked content is cut off if it has', () => {
  test.each(badChunks)('%s', async (_, bytes) => {
    const seen: string[] = [];
    await using upstream = await httpUpstream((request) => {
      request.on('error', () => seen.push('broken'));
      request.on('end', () => seen.push('whole'));
      request.resume();
    });
    await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
    const answer = await rawExchange(front.port, `${post}${chunked}\r\n${bytes}${hidden}`, 'end');
    expect(answer.isClosed).toBe(true);
    expect(answer.text).toMatch(/^(?:HTTP\/1\.1 (?:400|502) |$)/);
    expect(seen).not.toContain('whole');
  });
});

const badAnswers: readonly (readonly [what: string, bytes: string])[] = [
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
  ['a coding that is not relayed', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
  ['a folded field', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
  ['a NUL', 'HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 0\r\n\r\n'],
  ['a blank before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
  ['no status', 'HTTP/1.1\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['another protocol without a line', 'SSH-'],
  ['HTTP/2', '\0\0\u0012\u0004\0\0\0\0\0'],
  ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}`],
  ['300 fields', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(300)}\r\n`],
  ['1xx without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)],
  [
    'a switch of protocols nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nraw',
  ],
  ['nothing', ''],
];

describe('an answer is refused, and its connection not reused, if it has', () => {
  test.each(badAnswers)('%s', async (_, bytes) => {
    await using upstream = await rawUpstream((socket) =>
      socket.once('data', () => (bytes === '' ? socket.end() : socket.write(Buffer.from(bytes, 'latin1')))),
    );
    await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
    const get = `GET / HTTP/1.1\r\n${host}\r\n`;
    const answer = await rawExchange(front.port, get + get, 2);
    expect(answer.text.match(/HTTP\/1\.1 502 Bad Gateway\r\nholdfast-refusal: upstream-protocol\r\n/g)).toHaveLength(2);
    expect(front.opened()).toBe(2);
    expect(front.records.map(({ status, refusal, verdict }) => [status, refusal?.code, verdict?.decision])).toEqual(
      Array.from({ length: 2 }, () => [502, 'upstream-protocol', 'allow']),
    );
  });
});

test('an answer with a second one behind it poisons no request: the connection is dropped', async () => {
  let connections = 0;
  await using upstream = await rawUpstream((socket) => {
    connections += 1;
    socket.on('data', () =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nown${connections}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`,
      ),
    );
  });
  await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
  const get = `GET / HTTP/1.1\r\n${host}\r\n`;
  const answer = await rawExchange(front.port, get + get, 2);
  expect(answer.text).toMatch(/own1[^]*own2$/);
  expect(answer.text).not.toContain('poison');
});
