import { describe, expect, test } from 'vitest';
import { hostOf, locationOfRemote, locationOfUrl } from './hosts.ts';

test.each<readonly [string, string | undefined, number | undefined]>([
  ['example.com', 'example.com', undefined],
  ['user@example.com', 'example.com', undefined],
  ['user@example.com:22', 'example.com', 22],
  ['192.0.2.1:80', '192.0.2.1', 80],
  ['[2001:db8::1]:443', '2001:db8::1', 443],
  ['2001:db8::1', '2001:db8::1', undefined],
  ['::1', '::1', undefined],
  ['_dns.example.com', '_dns.example.com', undefined],
  ['{a,b}.example.com', undefined, undefined],
  ['a b', undefined, undefined],
  ['-oProxyCommand=x', undefined, undefined],
  ['u@-oProxyCommand=x', undefined, undefined],
  ['example.com/path', undefined, undefined],
  ['a@b@c', undefined, undefined],
  ['', undefined, undefined],
  ['exa\u0000mple', undefined, undefined],
  ['b\u00fccher.example', undefined, undefined],
  ['example.com:123456', undefined, undefined],
])('host %j', (text, host, port) => {
  expect(hostOf(text)).toEqual({ host, port, text });
});

describe('URLs', () => {
  test.each<readonly [string, string | undefined, number | undefined]>([
    ['https://example.com/a?b#c', 'example.com', 443],
    ...Object.entries({
      http: 80,
      ws: 80,
      wss: 443,
      ftp: 21,
      ftps: 990,
      ssh: 22,
      sftp: 22,
      scp: 22,
      git: 9418,
      rsync: 873,
      telnet: 23,
    }).map(([scheme, port]) => [`${scheme}://example.com/a`, 'example.com', port] as const),
    ['http://user:secret@example.com:8080/', 'example.com', 8080],
    ['HTTP://EXAMPLE.com', 'EXAMPLE.com', 80],
    ['example.com/a', 'example.com', 80],
    ['example.com:81/a', 'example.com', 81],
    ['ssh://git@example.com/a.git', 'example.com', 22],
    ['git://example.com/a', 'example.com', 9418],
    ['ftp://example.com', 'example.com', 21],
    ['gopher://example.com', 'example.com', undefined],
    ['https://[2001:db8::1]/', '2001:db8::1', 443],
    ['https://example.com@other.example/', 'other.example', 443],
    ['https://example.com#@other.example/', 'example.com', 443],
    ['https://example.com\\@other.example/', undefined, undefined],
    ['https://{a,b}.example.com/', undefined, undefined],
    ['https://example[1-3].com/', undefined, undefined],
    ['https://', undefined, undefined],
    ["ext::sh -c 'id'", undefined, undefined],
    ['javascript:alert', undefined, undefined],
    ['', undefined, undefined],
  ])('%s', (text, host, port) => {
    expect(locationOfUrl(text)).toEqual({ kind: 'host', host: { host, port, text } });
  });

  test.each([
    ['file:///etc/passwd', '/etc/passwd'],
    ['FILE:///etc/passwd', '/etc/passwd'],
    ['file://localhost/etc/passwd', '/etc/passwd'],
    ['file:///etc/%70asswd?x#y', '/etc/passwd'],
    ['file:///a%zz', '/a%zz'],
  ])('%s is a file', (text, path) => {
    expect(locationOfUrl(text)).toEqual({ kind: 'file', path });
  });
});

describe('places as rsync, scp and git take them', () => {
  test.each<readonly [string, string | undefined, number | undefined]>([
    ['example.com:a/b', 'example.com', undefined],
    ['user@example.com:', 'example.com', undefined],
    ['[2001:db8::1]:a', '2001:db8::1', undefined],
    ['example.com::module', 'example.com', undefined],
    ['rsync://example.com/a', 'example.com', 873],
    ['https://example.com/a.git', 'example.com', 443],
    ["ext::sh -c 'id'", undefined, undefined],
    ['fd::17', undefined, undefined],
    ['-oProxyCommand=x:a', undefined, undefined],
  ])('%s', (text, host, port) => {
    expect(locationOfRemote(text)).toEqual({ kind: 'host', host: { host, port, text } });
  });

  test.each(['a', './a:b', '/a:b', 'a/b:c', '.', '../x'])('%s is a file', (text) => {
    expect(locationOfRemote(text)).toEqual({ kind: 'file', path: text });
  });

  test('so is a URL of one', () => {
    expect(locationOfRemote('file:///a')).toEqual({ kind: 'file', path: '/a' });
  });
});
