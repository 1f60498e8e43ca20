import { describe, expect, test } from 'vitest';
import type { InterceptContext } from '../decide-request.ts';
import { field } from '../message.ts';
import { parseRequestHead } from './field-lines.ts';
import { isWebSocketAnswer, originForm, understand, upgradeOf } from './understand.ts';

const context = { scheme: 'https', destination: { host: 'api.test', port: 8443 } } as InterceptContext;
const key = 'dGhlIHNhbXBsZSBub25jZQ==';

function understoodFrom(start: string, lines: readonly string[], where: InterceptContext = context) {
  const head = parseRequestHead([start, ...lines].join('\r\n'));
  if (head.kind === 'problem') throw new Error(head.message);
  return understand(head, where);
}

describe('a request', () => {
  test('is parsed into its parts', () => {
    const fields = [field('Content-Length', '3'), field('X-A', 'b')];
    expect(
      understoodFrom('POST https://api.test:8443/a?b HTTP/1.1', [
        'Host: API.test',
        'Content-Length: 3',
        'X-A: b',
        'Connection: X-B',
        'X-B: c',
      ]),
    ).toEqual({
      kind: 'understood',
      asked: { method: 'POST', authority: 'API.test', target: '/a?b', upgrade: undefined, fields },
      framing: { kind: 'length', length: 3 },
      fields,
      persistence: 'keep',
      expectation: 'none',
    });
  });

  test.each([
    ['GET / HTTP/1.1', ['Host: a'], 'keep'],
    ['GET / HTTP/1.1', ['Host: a', 'Connection: close'], 'close'],
    ['GET / HTTP/1.1', ['Host: a', 'Connection: X, CLOSE'], 'close'],
    ['GET / HTTP/1.1', ['Host: a', 'Proxy-Connection: close'], 'close'],
    ['GET / HTTP/1.0', [], 'close'],
    ['GET / HTTP/1.0', ['Connection: Keep-Alive'], 'keep'],
    ['GET / HTTP/1.0', ['Connection: keep-alive, close'], 'close'],
  ])('%s %j: its connection is to %s', (start, lines, persistence) => {
    expect(understoodFrom(start, lines)).toMatchObject({ persistence });
  });

  test.each([
    [['Expect: 100-continue'], '100-continue'],
    [['expect: 100-Continue'], '100-continue'],
    [[], 'none'],
  ])('with %j expects %s', (lines, expectation) => {
    expect(understoodFrom('POST / HTTP/1.1', ['Host: a', ...lines])).toMatchObject({ expectation });
  });

  test('of HTTP/1.0 without a host is for the destination', () => {
    expect(understoodFrom('GET / HTTP/1.0', [])).toMatchObject({ asked: { authority: 'api.test:8443' } });
    expect(understoodFrom('GET / HTTP/1.0', [], { ...context, destination: { host: '::1', port: 80 } })).toMatchObject({
      asked: { authority: '[::1]:80' },
    });
  });

  test.each([
    ['GET / HTTP/1.1', [], 400],
    ['GET / HTTP/1.0', ['Host: a', 'Host: a'], 400],
    ['POST / HTTP/1.1', ['Host: a', 'Expect: 100-continue, x'], 417],
    ['GET http://api.test:8443/ HTTP/1.1', ['Host: api.test'], 421],
    ['GET / HTTP/1.1', ['Host: a', 'Connection: Upgrade, content-length', 'Content-Length: 1'], 400],
  ])('%s %j is refused with %d', (start, lines, status) => {
    expect(understoodFrom(start, lines)).toMatchObject({ kind: 'problem', status });
  });
});

describe('an upgrade', () => {
  const asked = (start: string, lines: readonly string[]) => {
    const head = parseRequestHead([start, 'Host: a', ...lines].join('\r\n'));
    return head.kind === 'problem' ? head : upgradeOf(head);
  };
  const handshake = ['Connection: keep-alive, Upgrade', 'Upgrade: WebSocket', `Sec-WebSocket-Key: ${key}`];

  test('to WebSocket is one', () => {
    expect(asked('GET / HTTP/1.1', handshake)).toEqual({ kind: 'websocket' });
  });

  test.each([
    ['POST / HTTP/1.1', handshake],
    ['GET / HTTP/1.0', handshake],
    ['GET / HTTP/1.1', handshake.slice(1)],
    ['GET / HTTP/1.1', ['Connection: Upgrade', 'Upgrade: h2c']],
    ['GET / HTTP/1.1', ['Connection: Upgrade', 'Upgrade: SPDY/3.1']],
    ['GET / HTTP/1.1', ['Connection: Upgrade', 'Upgrade: TLS/1.0, tcp']],
    ['GET / HTTP/1.1', ['Connection: Upgrade']],
  ])('%s %j is not one', (start, lines) => {
    expect(asked(start, lines)).toEqual({ kind: 'none' });
  });

  test.each(['', 'x', `${key}x`, key.slice(0, -1), 'dGhlIHNhbXBsZSBub25jZQ=A', '********************** =='])(
    'with the key %j is malformed',
    (bad) => {
      expect(asked('GET / HTTP/1.1', [...handshake.slice(0, 2), `Sec-WebSocket-Key: ${bad}`])).toMatchObject({
        kind: 'problem',
      });
    },
  );

  test('is answered by a server that knows the key: the example of RFC 6455', () => {
    const request = [field('Sec-WebSocket-Key', key)];
    const accept = field('Sec-WebSocket-Accept', 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(isWebSocketAnswer(request, [field('upgrade', 'WebSocket'), accept])).toBe(true);
    expect(isWebSocketAnswer(request, [accept])).toBe(false);
    expect(isWebSocketAnswer(request, [field('Upgrade', 'websocket')])).toBe(false);
    expect(
      isWebSocketAnswer(
        [field('Sec-WebSocket-Key', 'AAAAAAAAAAAAAAAAAAAAAA==')],
        [field('Upgrade', 'websocket'), accept],
      ),
    ).toBe(false);
  });
});

const expected = { scheme: 'https', destination: { host: 'api.test', port: 443 } } as const;

describe('request targets', () => {
  test.each([
    ['GET', '/', '/'],
    ['GET', '/a?b', '/a?b'],
    ['GET', '//other.test/a', '//other.test/a'],
    ['OPTIONS', '*', '*'],
    ['GET', 'https://api.test', '/'],
    ['GET', 'https://api.test?x', '/?x'],
    ['GET', 'HTTPS://API.TEST:443/a?b=https://c', '/a?b=https://c'],
  ])('%s %s is %s', (method, target, form) => {
    expect(originForm(target, method, expected)).toEqual({ kind: 'origin-form', target: form });
  });

  test.each([
    ['GET', '*', 400],
    ['GET', '', 400],
    ['GET', 'a', 400],
    ['GET', 'api.test:443', 400],
    ['GET', 'https:/api.test/', 400],
    ['GET', 'https:api.test', 400],
    ['GET', 'ws://api.test/', 400],
    ['GET', 'http://api.test/', 421],
    ['GET', 'https://other.test/', 421],
    ['GET', 'https://api.test:8443/', 421],
    ['GET', 'https://user@api.test/', 421],
    ['GET', 'https://api.test@other.test/', 421],
    ['GET', 'https:///a', 421],
    ['GET', 'https://api.test\\@other.test/', 421],
  ])('%s %j is refused with %d', (method, target, status) => {
    expect(originForm(target, method, expected)).toMatchObject({ kind: 'problem', status });
  });
});
