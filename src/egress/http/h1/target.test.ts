import { describe, expect, test } from 'vitest';
import { originForm } from './target.ts';

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
