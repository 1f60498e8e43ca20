import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorityOf, namesDestination } from './decide-request.ts';

const name = { host: 'api.test', port: 8443 };

describe('names the destination', () => {
  test.each(['api.test', 'API.Test', 'api.test.', 'api.test:8443', 'API.TEST.:8443', 'api.test:08443'])(
    '%s',
    (authority) => {
      expect(namesDestination(authority, name)).toBe(true);
    },
  );

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1:8443'],
    ['::1', '[::1]'],
    ['::1', '[0:0::1]:8443'],
    ['127.0.0.1', 'localhost:8443'],
    ['::1', 'localhost'],
    ['127.0.0.1', '[::1]:8443'],
    ['127.0.0.1', 'app.localhost'],
  ])('%s as %s', (host, authority) => {
    expect(namesDestination(authority, { host, port: 8443 })).toBe(true);
  });
});

describe('names another host, or an unknown one', () => {
  test.each([
    '',
    ':',
    ':8443',
    'other.test',
    'api.test:443',
    'api.test:',
    'api.test:x',
    'api.test:884433',
    'xapi.test',
    'api.test.evil.test',
    'api.test..',
    'user@api.test',
    'api.test@evil.test',
    'evil.test/api.test',
    'api.test/',
    'api.test?',
    'api.test#',
    'api%2etest',
    'api.test%00',
    'api.test ',
    ' api.test',
    'api.test\t',
    'api.test,evil.test',
    'api.test:8443:8443',
    '[api.test]',
    'api\u3002test',
    '\uff41pi.test',
    'api.test\0',
    'a.t\u00e9st',
    '*.test',
    '[::1',
    '::1',
    'api_test',
  ])('%j', (authority) => {
    expect(namesDestination(authority, name)).toBe(false);
  });

  test('any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.string()), (text) => {
        expect(namesDestination(text, name)).toBe(/^api\.test\.?(?::0*8443)?$/i.test(text));
      }),
    );
  });
});

test.each([
  ['api.test', 443, 'https', 'api.test'],
  ['api.test', 80, 'http', 'api.test'],
  ['api.test', 80, 'https', 'api.test:80'],
  ['api.test', 8443, 'https', 'api.test:8443'],
  ['192.0.2.1', 443, 'https', '192.0.2.1'],
  ['2001:db8::1', 443, 'https', '[2001:db8::1]'],
  ['2001:db8::1', 8080, 'http', '[2001:db8::1]:8080'],
] as const)('%s at %d by %s is called %s', (...[host, port, scheme, authority]) => {
  expect(authorityOf({ host, port }, scheme)).toBe(authority);
  expect(namesDestination(authority, { host, port })).toBe(true);
});
