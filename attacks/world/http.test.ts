import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { serveHttp } from './http.ts';

/** The requests that the server recognised, and its answers. */
async function serve(
  ...chunks: readonly string[]
): Promise<{ readonly requests: readonly string[]; readonly answer: string }> {
  const log: string[] = [];
  let answer = '';
  const client = new Duplex({
    read() {},
    write(bytes: Buffer, _, done) {
      answer += bytes.toString();
      done();
    },
  });
  serveHttp(client, { canary: 'canary', log: (line) => log.push(line) });
  for (const chunk of chunks) client.push(Buffer.from(chunk));
  await new Promise(setImmediate);
  return {
    requests: log.filter((line) => line.startsWith('request')).map((line) => line.split(' ').slice(2, 4).join(' ')),
    answer,
  };
}

describe('the server that smugglers like', () => {
  test('answers with the canary, also in pieces', async () => {
    const { requests, answer } = await serve('GET /a HTT', 'P/1.1\r\nHost: x.example\r\n\r', '\n');
    expect(requests).toEqual(['GET /a']);
    expect(answer).toContain('for x.example: canary\n');
  });

  test.each([
    ['pipelined', 'GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n'],
    [
      'length before coding',
      'GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /b HTTP/1.1\r\n\r\n',
    ],
    ['bare LF', 'GET /a HTTP/1.1\n\nGET /b HTTP/1.1\n\n'],
    ['a coding it does not know', 'GET /a HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\nGET /b HTTP/1.1\r\n\r\n'],
  ])('%s: sees the second request', async (_, text) => {
    expect((await serve(text)).requests).toEqual(['GET /a', 'GET /b']);
  });

  test.each([
    ['a length', 'POST /a HTTP/1.1\r\nContent-Length: 23\r\n\r\nGET /b HTTP/1.1\r\n\r\n\r\n\r\n'],
    ['chunks', 'POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n13\r\nGET /b HTTP/1.1\r\n\r\n\r\n0\r\n\r\n'],
  ])('%s: content stays content', async (_, text) => {
    expect((await serve(text)).requests).toEqual(['POST /a']);
  });

  test('accepts WebSockets below one path, and nowhere else', async () => {
    const fields = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
    expect((await serve(`GET /socket/a HTTP/1.1\r\n${fields}`)).answer).toMatch(/^HTTP\/1\.1 101 /u);
    expect((await serve(`GET /a HTTP/1.1\r\n${fields}GET /b HTTP/1.1\r\n\r\n`)).requests).toEqual(['GET /a', 'GET /b']);
  });

  test('redirects where the path says', async () => {
    expect((await serve('GET /to/http:%2f%2fx%2f HTTP/1.1\r\n\r\n')).answer).toMatch(
      /^HTTP\/1\.1 302 .*\r\nLocation: http:\/\/x\/\r\n/u,
    );
  });
});
