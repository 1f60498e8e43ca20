import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { noProxyOf, parseProxy, type ProxyFor, proxySettings } from './proxy-settings.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function chosen(environment: Record<string, string>, target = 'example.com:443', use?: ProxyFor): string {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? [];
  const proxy = proxySettings(environment).choose({ host, port: Number(port) }, use);
  return proxy.kind === 'proxy' ? proxy.host : proxy.kind;
}

describe('variables', () => {
  test.each([
    [{}, 'example.com:443', 'direct'],
    [{ HTTPS_PROXY: '' }, 'example.com:443', 'direct'],
    [{ HTTPS_PROXY: '  ' }, 'example.com:443', 'direct'],
    [{ HTTPS_PROXY: 'http://s' }, 'example.com:443', 's'],
    [{ HTTPS_PROXY: 'http://s' }, 'example.com:80', 'direct'],
    [{ HTTP_PROXY: 'http://p' }, 'example.com:80', 'p'],
    [{ HTTP_PROXY: 'http://p' }, 'example.com:443', 'direct'],
    [{ https_proxy: 'http://small', HTTPS_PROXY: 'http://large' }, 'example.com:443', 'small'],
    [{ https_proxy: '', HTTPS_PROXY: 'http://large' }, 'example.com:443', 'large'],
    [{ ALL_PROXY: 'socks5://a' }, 'example.com:443', 'a'],
    [{ ALL_PROXY: 'socks5://a' }, 'example.com:22', 'a'],
    [{ ALL_PROXY: 'socks5://a', HTTPS_PROXY: 'http://s' }, 'example.com:443', 's'],
    [{ ALL_PROXY: 'socks5://a', HTTPS_PROXY: 'http://s' }, 'example.com:22', 'a'],
    [{ HTTPS_PROXY: 'http://s', HTTP_PROXY: 'http://p' }, 'example.com:22', 'direct'],
    [{ HTTPS_PROXY: 'http://s' }, 'example.com:8443', 's'],
    [{ HTTP_PROXY: 'http://p' }, 'example.com:8080', 'p'],
    [{ HTTPS_PROXY: 'ftp://s' }, 'example.com:443', 'unusable'],
  ])('%j, %s: %s', (...[environment, target, expected]) => {
    expect(chosen(environment as Record<string, string>, target)).toBe(expected);
  });

  test('the caller’s scheme overrides the port', () => {
    expect(chosen({ HTTPS_PROXY: 'http://s', HTTP_PROXY: 'http://p' }, 'example.com:9999', 'https')).toBe('s');
    expect(chosen({ HTTPS_PROXY: 'http://s', HTTP_PROXY: 'http://p' }, 'example.com:443', 'http')).toBe('p');
  });
});

describe('NO_PROXY', () => {
  test.each([
    ['example.com', 'example.com:443', 'direct'],
    ['example.com', 'a.example.com:443', 'direct'],
    ['example.com', 'notexample.com:443', 'p'],
    ['.example.com', 'a.example.com:443', 'direct'],
    ['.example.com', 'example.com:443', 'direct'],
    ['*.example.com', 'a.b.example.com:443', 'direct'],
    ['EXAMPLE.com.', 'example.com:443', 'direct'],
    ['*', 'anything.example:443', 'direct'],
    ['a.example,b.example', 'b.example:443', 'direct'],
    ['a.example  b.example', 'b.example:443', 'direct'],
    [',,a.example,', 'a.example:443', 'direct'],
    ['example.com:443', 'example.com:443', 'direct'],
    ['example.com:8443', 'example.com:443', 'p'],
    ['10.0.0.0/8', '10.1.2.3:443', 'direct'],
    ['10.0.0.0/8', '11.1.2.3:443', 'p'],
    ['10.0.0.0/8', 'ten.example:443', 'p'],
    ['10.1.2.3', '10.1.2.3:443', 'direct'],
    ['10.1.2.3', '10.1.2.30:443', 'p'],
    ['10.1.2.3:444', '10.1.2.3:443', 'p'],
    ['fd00::/8', 'fd12::1:443', 'direct'],
    ['[fd12::1]', 'fd12::1:443', 'direct'],
    ['[fd12::1]:443', 'fd12::1:443', 'direct'],
    ['[fd12::1]:444', 'fd12::1:443', 'p'],
    ['fd12::1', 'fd12::1:443', 'direct'],
    ['1.1.1.1/99', '1.1.1.1:443', 'p'],
    ['exa*mple.com', 'example.com:443', 'p'],
    ['b\u00fccher.example', 'xn--bcher-kva.example:443', 'direct'],
    ['<local>', 'example.com:443', 'p'],
  ])('%j, %s: %s', (...[noProxy, target, expected]) => {
    expect(chosen({ HTTPS_PROXY: 'http://p', NO_PROXY: noProxy }, target)).toBe(expected);
    expect(chosen({ HTTPS_PROXY: 'http://p', no_proxy: noProxy, NO_PROXY: '*' }, target)).toBe(expected);
  });
});

const reaches = (list: string, host: string, port = 443): boolean => noProxyOf(list)({ host, port });

test('a name bypasses the proxy for itself and its subdomains only', () => {
  fc.assert(
    fc.property(fc.domain(), fc.stringMatching(/^[a-z]{1,8}$/), (name, label) => {
      const host = name.toLowerCase();
      for (const entry of [host, `.${host}`, `*.${host}`, host.toUpperCase(), `${host}:443`]) {
        expect(reaches(entry, host)).toBe(true);
        expect(reaches(entry, `${label}.${host}`)).toBe(true);
        expect(reaches(entry, `${label}${host}`)).toBe(false);
        expect(reaches(entry, `${host}.${label}`)).toBe(false);
      }
      expect(reaches(`${host}:444`, host)).toBe(false);
    }),
    { numRuns: rounds(100) },
  );
});

test('a network bypasses the proxy for its addresses', () => {
  fc.assert(
    fc.property(fc.nat({ max: 255 }), fc.nat({ max: 255 }), (a, b) => {
      expect(reaches('10.0.0.0/8', `10.${a}.${b}.1`)).toBe(true);
      expect(reaches('10.7.0.0/16', `10.${a}.${b}.1`)).toBe(a === 7);
      expect(reaches('2001:db8::/32', `2001:db8::${a}`)).toBe(true);
      expect(reaches('2001:db8::/32', `2001:db9::${a}`)).toBe(false);
    }),
  );
});

test('any text is accepted, and only * bypasses the proxy for everything', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', '.', '*', ',', ' ', ':', '/', '1', '0', '[', ']', '-', '\n'),
        maxLength: 24,
      }),
      (list) => {
        const isAll = list.split(/[\s,]+/).includes('*');
        expect(reaches(list, 'somewhere-else.example.org')).toBe(isAll);
      },
    ),
    { numRuns: rounds(500) },
  );
});

test('a list of a megabyte is read quickly', () => {
  const list = 'example.com,'.repeat(80_000);
  expect(atMost(1000, () => reaches(list, 'example.org'))).toBe(false);
});

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

  test('are printed nowhere', () => {
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

test('any text gets a proxy or an error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.webUrl()), (text) => {
      const proxy = parseProxy('X', text);
      if (proxy.kind === 'proxy') expect(proxy.port).toBeLessThan(65_536);
    }),
  );
});
