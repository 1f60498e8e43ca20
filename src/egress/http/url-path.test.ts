import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { escapeHighBytes, pathProblem, readingsOf } from './url-path.ts';

describe('an ambiguous path is detected', () => {
  test.each([
    '/a\\b',
    '/a%5Cb',
    '/a%5cb',
    '/%',
    '/a%2',
    '/a%zz',
    '/%u002e',
    '/a%00',
    '/a%0d%0a',
    '/%1F',
    '/%7f',
    '/..',
    '/.',
    '/a/..',
    '/a/../b',
    '/a/./b',
    '/a/.;x/b',
    '/..;/a',
    '/a/..%3b/b',
    '/%2e',
    '/a/%2E%2e/b',
    '/a/.%2e/b',
    '/a%2f..%2fb',
    '/a%2F%2e%2E',
    '/a.%2eb',
    '/a%2ejs',
    '/%252e%252e/',
    '/a%252fb',
    '/a%255cb',
    '/%2500',
    '/%c0%ae',
    '/%C0%AF',
    '/%c1%9c',
    '/%e0%80%ae',
    '/%F0%80%80%ae',
    '/a/%ef%bc%8e%ef%bc%8e/b',
    '/a/..%EF%BC%8Fb',
    '/a%ef%bc%bc..',
    '/a/%e2%80%a5/b',
    '/a/.%e2%80%a4/b',
    '/a%e2%88%95%ef%b9%92%ef%b9%92;x',
  ])('%s', (path) => {
    expect(pathProblem(path)).toMatch(/^(?:a|an) \w/);
  });

  test.each([
    '/',
    '*',
    '/a/b.js',
    '/a..b',
    '/...',
    '/.git/config',
    '/.well-known/x',
    '/a/.b/..c',
    '/@types%2fnode',
    '/a%20b',
    '/%C3%BC',
    '/%E2%82%AC',
    '/a;v=1/b',
    '/a+b',
    '/~user',
    '/100%25',
    '/a//b',
    '/a:b@c',
    '/%2Fa',
    '/a%3Bb',
    '/%e9t%e9',
    '/%c3%80',
    '/%ef%bc%8e.txt',
    '/a%ef%bc%8fb',
    '/%e2%80%a4%e2%80%a4%e2%80%a4',
    "/(a)'!*,$&=",
  ])('%s is fine', (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });
});

describe('readings', () => {
  test.each([
    ['/a/b', ['/a/b']],
    ['/@types%2fnode', ['/@types%2fnode', '/@types/node']],
    ['/admin;x=1/users', ['/admin;x=1/users', '/admin/users']],
    ['/admin%3bx%2Fy/users', ['/admin%3bx%2Fy/users', '/admin%3bx/y/users', '/admin/users', '/admin/y/users']],
  ])('of %s', (path, readings) => {
    expect(new Set(readingsOf(path))).toEqual(new Set(readings));
  });

  test('always include the path itself', () => {
    const unit = fc.constantFrom('/', ';', '%2f', '%3b', 'a', '.', '%', '=');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (path) => {
        expect(readingsOf(`/${path}`)).toContain(`/${path}`);
      }),
    );
  });
});

test('any path is judged quickly', () => {
  atMost(6000, () => {
    for (const unit of ['%', '%2e', '/', '.', '%2f', ';', '%25', '%c0', '/..a', '\u00ff'])
      pathProblem(unit.repeat(30_000 / unit.length));
  });
});

test('high bytes are escaped, and nothing else', () => {
  expect(escapeHighBytes('/\u00fc%20\u0080\u00ff?a=b')).toBe('/%FC%20%80%FF?a=b');
});
