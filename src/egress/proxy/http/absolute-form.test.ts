import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRequestHead, type RequestHead } from '../../http/h1/request-head.ts';
import { inOriginForm, parseAbsoluteForm } from './absolute-form.ts';

describe('the URL of a request line', () => {
  test.each([
    ['http://example.com/', 'example.com', 80, '/'],
    ['http://example.com', 'example.com', 80, '/'],
    ['HTTP://EXAMPLE.com:8080/a/b?c=d&e', 'example.com', 8080, '/a/b?c=d&e'],
    ['http://example.com?x', 'example.com', 80, '/?x'],
    ['http://[::1]:3000/x', '::1', 3000, '/x'],
    ['http://127.1/x', '127.0.0.1', 80, '/x'],
    ['http://example.com//a/../b', 'example.com', 80, '//a/../b'],
    ['http://example.com/http://evil.test/', 'example.com', 80, '/http://evil.test/'],
  ])('%s', (...[target, host, port, path]) => {
    expect(parseAbsoluteForm(target, 'GET')).toMatchObject({ destination: { host, port }, target: path });
  });

  test.each([
    '/', '*', '', 'example.com:80', 'https://example.com/', 'ftp://example.com/', 'ws://example.com/', 'http:/example.com/', 'http:example.com', 'http:///x', 'http://', 'http://:80/',
    'http://user@example.com/', 'http://user:pass@example.com/', 'http://example.com:0/', 'http://example.com:99999/', 'http://exa%6dple.com/', 'http://example.com\\@evil.test/', 'http://a\\b/', 'http://example.com#x', 'http://example.com/#x',
    'http://[::1/', 'http://*.example.com/', ' http://example.com/',
  ])('%j is refused', (target) => {
    expect(parseAbsoluteForm(target, 'GET')).toBeUndefined();
  });

  test('OPTIONS without a path is about the server. RFC 9112 §3.2.4', () => {
    expect(parseAbsoluteForm('http://example.com', 'OPTIONS')?.target).toBe('*');
    expect(parseAbsoluteForm('http://example.com/', 'OPTIONS')?.target).toBe('/');
    expect(parseAbsoluteForm('http://example.com?a', 'OPTIONS')?.target).toBe('/?a');
  });
});

function headOf(text: string): RequestHead {
  const head = parseRequestHead(text);
  if (head.kind === 'problem') throw new Error(head.message);
  return head;
}

function rewritten(text: string): string {
  const head = headOf(text);
  const form = parseAbsoluteForm(head.target, head.method);
  if (form === undefined) throw new Error('no absolute form');
  return inOriginForm(head, form).toString('latin1');
}

describe('in origin form', () => {
  test('the URL becomes a path and Host, and nothing for the proxy is left', () => {
    const text = 'GET http://a.test:8080/x?y HTTP/1.1\r\nUser-Agent: u\r\nHost: a.test:8080\r\nProxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\nPROXY-FOO: 1\r\nAccept: */*';
    expect(rewritten(text)).toBe('GET /x?y HTTP/1.1\r\nHost: a.test:8080\r\nConnection: close\r\nUser-Agent: u\r\nAccept: */*\r\n\r\n');
  });

  test('HTTP/1.0 stays itself, and gets a Host', () => {
    expect(rewritten('GET http://a.test/ HTTP/1.0')).toBe('GET / HTTP/1.0\r\nHost: a.test\r\nConnection: close\r\n\r\n');
  });

  test.each([
    ['keep-alive', 'close'],
    ['Keep-Alive, X-Private', 'close, x-private'],
    ['close', 'close'],
    ['proxy-authorization', 'close'],
    ['upgrade', 'close'],
  ])('Connection: %s becomes %s', (from, to) => {
    expect(rewritten(`GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nConnection: ${from}\r\nKeep-Alive: timeout=5`)).toContain(`\r\nConnection: ${to}\r\n`);
  });

  test('an upgrade is still one', () => {
    const text = rewritten('GET http://a.test/ws HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k');
    expect(text).toContain('\r\nConnection: close, upgrade\r\n');
    expect(text).toContain('\r\nUpgrade: websocket\r\n');
  });

  test('what frames the content is untouched', () => {
    const text = rewritten('POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nX: caf\u00e9');
    expect(text).toContain('\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nX: caf\u00e9\r\n');
  });

  test('is a head of one request for the destination, whatever the URL and the fields hold', () => {
    const path = fc.string({ unit: fc.constantFrom('a', '/', '.', '%', ':', '@', '?', '=', ' ', '\r', '\n', '\0', '\u00fc'), maxLength: 20 });
    const value = fc.string({ unit: fc.constantFrom('a', ',', ' ', '\t', '\r', '\n', ':', 'close', 'proxy-authorization'), maxLength: 10 });
    fc.assert(
      fc.property(path, value, (...[suffix, connection]) => {
        const head = parseRequestHead(`GET http://a.test/${suffix} HTTP/1.1\r\nHost: a.test\r\nConnection: ${connection}\r\nProxy-Authorization: Basic c2VjcmV0`);
        const form = head.kind === 'problem' ? undefined : parseAbsoluteForm(head.target, head.method);
        if (head.kind === 'problem' || form === undefined) return;
        const text = inOriginForm(head, form).toString('latin1');
        expect(text.indexOf('\r\n\r\n')).toBe(text.length - 4);
        expect(text).not.toMatch(/c2VjcmV0|[^\r]\n|\r[^\n]/);
        const again = headOf(text.slice(0, -4));
        expect(again.target.startsWith('/')).toBe(true);
        expect(again.fields.filter(({ key }) => key === 'host')).toEqual([{ name: 'Host', key: 'host', value: 'a.test' }]);
        expect(again.fields.filter(({ key }) => key === 'connection')).toHaveLength(1);
      }),
      { numRuns: 2000 },
    );
  });
});
