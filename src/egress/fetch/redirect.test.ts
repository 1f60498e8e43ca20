import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideUrl } from '../ssrf/decide-url.ts';
import type { Hop } from './types.ts';
import { followRedirect } from './redirect.ts';

function hop(url: string, more: Partial<Hop> = {}): Hop {
  const decided = decideUrl(url);
  if (decided.kind === 'refused') throw new Error(decided.refusal.message);
  return { kind: 'hop', decided, method: 'GET', headers: {}, ...more };
}

function next(from: string, location: string, status = 302): string {
  const followed = followRedirect(hop(from), { status, location });
  if (followed === undefined) return 'the last';
  return followed.kind === 'hop' ? followed.decided.url.href : followed.refusal.code;
}

describe('locations', () => {
  test.each([
    ['https://a.test/x/y?z', 'https://b.test/', 'https://b.test/'],
    ['https://a.test/x/y?z', '//b.test/c', 'https://b.test/c'],
    ['https://a.test/x/y?z', '/c', 'https://a.test/c'],
    ['https://a.test/x/y?z', 'c', 'https://a.test/x/c'],
    ['https://a.test/x/y?z', '../c', 'https://a.test/c'],
    ['https://a.test/x/y?z', '?c', 'https://a.test/x/y?c'],
    ['https://a.test/x/y?z', '#c', 'https://a.test/x/y?z'],
    ['https://a.test/x/y?z', '', 'https://a.test/x/y?z'],
    ['http://a.test/', 'https://a.test/', 'https://a.test/'],
    ['http://a.test:8080/x', '/c', 'http://a.test:8080/c'],
    ['http://[2001:200::1]:8080/x', '/c', 'http://[2001:200::1]:8080/c'],
    ['https://a.test/', 'http://a.test/', 'upstream-protocol'],
    ['https://a.test/', 'HTTP://b.test/', 'upstream-protocol'],
    ['https://a.test/', 'http:b', 'malformed-host'],
    ['https://a.test/', '\\\\b.test', 'malformed-host'],
    ['https://a.test/', '/\\b.test', 'malformed-host'],
    ['https://a.test/', '/a b', 'malformed-host'],
    ['https://a.test/', '/a\tb', 'malformed-host'],
    ['https://a.test/', '///b.test/', 'malformed-host'],
    ['https://a.test/', 'https://user@b.test/', 'malformed-host'],
    ['https://a.test/', `/${'a'.repeat(9000)}`, 'malformed-host'],
  ])('from %s, %j leads to %s', (...[from, location, expected]) => {
    expect(next(from, location)).toBe(expected);
  });

  test('whatever a server says, what follows is a URL that passes, or a refusal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.webUrl(), fc.webPath()), (location) => {
        const followed = followRedirect(hop('https://a.test/x'), { status: 302, location });
        if (followed?.kind !== 'hop') return;
        expect(decideUrl(followed.decided.url.href).kind).toBe('url');
        expect(followed.decided.scheme).toBe('https');
      }),
      { numRuns: 300 },
    );
  });
});

describe('statuses', () => {
  test.each([200, 201, 204, 300, 304, 305, 306, 309, 404, 500])('%i is the last answer', (status) => {
    expect(next('https://a.test/', '/b', status)).toBe('the last');
  });

  test('a redirect without a location is the last answer', () => {
    expect(followRedirect(hop('https://a.test/'), { status: 302 })).toBeUndefined();
  });

  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
  ])('%i turns %s into %s', (...[status, method, expected]) => {
    const body = Buffer.from('x');
    const followed = followRedirect(
      hop('https://a.test/', { method, body, headers: { 'content-type': 'text/plain' } }),
      { status, location: '/b' },
    );
    expect(followed).toMatchObject({ kind: 'hop', method: expected });
    const keeps = status >= 307;
    expect(followed?.kind === 'hop' && followed.body !== undefined).toBe(keeps);
    expect(followed?.kind === 'hop' && 'content-type' in followed.headers).toBe(keeps);
  });
});

describe('credentials', () => {
  const headers = { authorization: 'Bearer x', 'x-api-key': 'k', accept: 'a' };

  test.each(['https://a.test/b', '/b', 'https://A.test:443/'])('stay on the same origin: %s', (location) => {
    expect(followRedirect(hop('https://a.test/', { headers }), { status: 302, location })).toMatchObject({ headers });
  });

  test.each(['https://b.test/', 'https://a.test:8443/', 'https://a.test.evil.test/', 'https://sub.a.test/'])(
    'are dropped across origins: %s',
    (location) => {
      const followed = followRedirect(hop('https://a.test/', { headers }), { status: 307, location });
      expect(followed?.kind === 'hop' ? followed.headers : undefined).toEqual({ accept: 'a' });
    },
  );

  test('are dropped from http to https too', () => {
    const followed = followRedirect(hop('http://a.test/', { headers }), { status: 301, location: 'https://a.test/' });
    expect(followed?.kind === 'hop' ? followed.headers : undefined).toEqual({ accept: 'a' });
  });
});
