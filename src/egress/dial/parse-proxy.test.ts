import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProxy } from './parse-proxy.ts';

test.each([
  ['http://proxy.example:3128', 'http', 'proxy.example', 3128],
  ['http://proxy.example', 'http', 'proxy.example', 80],
  ['https://proxy.example', 'https', 'proxy.example', 443],
  ['socks5h://proxy.example', 'socks5', 'proxy.example', 1080],
  ['socks5://10.0.0.1:9050', 'socks5', '10.0.0.1', 9050],
  ['proxy.example:8080', 'http', 'proxy.example', 8080],
  ['PROXY.example.:8080/', 'http', 'proxy.example', 8080],
  ['http://[fd00::1]:3128/', 'http', 'fd00::1', 3128],
  [' http://127.0.0.1:3128 ', 'http', '127.0.0.1', 3128],
  ['HTTP://Proxy.Example:1', 'http', 'proxy.example', 1],
])('%j', (...[text, protocol, host, port]) => {
  expect(parseProxy('HTTPS_PROXY', text)).toMatchObject({
    kind: 'proxy',
    protocol,
    host,
    port,
    variable: 'HTTPS_PROXY',
  });
});

test.each([
  'socks4://proxy.example',
  'ftp://proxy.example',
  'http://',
  'http://a b',
  'http://proxy:99999',
  '::::',
  'pac+http://proxy.example/x',
  'http://pro%20xy',
  'http://user:%zz@proxy',
  'http://us%0d%0aer:x@proxy',
  `http://${'u'.repeat(300)}:x@proxy`,
])('%j cannot be used', (text) => {
  expect(parseProxy('HTTP_PROXY', text)).toMatchObject({ kind: 'unusable', variable: 'HTTP_PROXY' });
});

describe('credentials', () => {
  test.each([
    ['http://user:pass@p', 'user', 'pass'],
    ['http://user@p', 'user', ''],
    ['http://:pass@p', '', 'pass'],
    ['http://us%40er:p%3Aass%2F@p', 'us@er', 'p:ass/'],
    ['user:pass@p:8080', 'user', 'pass'],
  ])('%s', (...[text, user, password]) => {
    const proxy = parseProxy('HTTP_PROXY', text);
    expect(proxy.kind === 'proxy' ? proxy.credentials() : undefined).toEqual({ user, password });
  });

  test('are not printed by anything', () => {
    for (const text of [
      'http://user:hunter2@proxy.example:3128',
      'socks4://user:hunter2@proxy.example',
      'http://user:hunter2%zz@proxy',
    ]) {
      const proxy = parseProxy('HTTP_PROXY', text);
      expect(JSON.stringify(proxy) + inspect(proxy, { depth: 9, showHidden: true })).not.toContain('hunter2');
    }
  });
});

test('any text gets an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.webUrl()), (text) => {
      const proxy = parseProxy('X', text);
      if (proxy.kind === 'proxy') expect(proxy.port).toBeLessThan(65_536);
    }),
  );
});
