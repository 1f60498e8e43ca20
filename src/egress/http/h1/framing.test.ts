import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseResponseHead, responseFraming, type ResponseHead } from './framing.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const parsed = (text: string): ResponseHead => {
  const head = parseResponseHead(text);
  if (head.kind === 'problem') throw new Error(head.message);
  return head;
};

describe('status lines', () => {
  test.each([
    ['HTTP/1.1 200 OK', 200, 'OK', 1],
    ['HTTP/1.0 404 Not Found', 404, 'Not Found', 0],
    ['HTTP/1.1 204 ', 204, '', 1],
    ['HTTP/1.1 204', 204, '', 1],
    ['HTTP/1.1 299 \u00e9\t!', 299, '\u00e9\t!', 1],
    ['HTTP/1.1 999 Request denied', 999, 'Request denied', 1],
  ])('%j', (text, ...expected) => {
    const [status, reason, minor] = expected;
    expect(parsed(text)).toEqual({ kind: 'head', status, reason, minor, fields: [] });
  });

  test.each([
    '',
    'HTTP/1.1',
    'HTTP/1.1 ',
    'HTTP/1.1 20',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1  200 OK',
    'HTTP/2 200 OK',
    'HTTP/1.2 200 OK',
    'http/1.1 200 OK',
    'ICY 200 OK',
    'HTTP/1.1 200 a\rb',
    'HTTP/1.1 200 \0',
    ' HTTP/1.1 200 OK',
  ])('%j is invalid', (text) => {
    expect(parseResponseHead(text)).toMatchObject({ kind: 'problem', status: 502 });
  });
});

describe('framing', () => {
  const framingOf = (method: string, status: number, lines: readonly string[] = []) =>
    responseFraming(parsed([`HTTP/1.1 ${status} x`, ...lines].join('\r\n')), method);

  test.each([
    ['GET', 200, ['Content-Length: 5'], { kind: 'length', length: 5 }],
    ['GET', 200, ['Transfer-Encoding: chunked'], { kind: 'chunked' }],
    ['GET', 200, [], { kind: 'until-close' }],
    ['HEAD', 200, ['Content-Length: 5'], { kind: 'none' }],
    ['HEAD', 200, [], { kind: 'none' }],
    ['GET', 204, [], { kind: 'none' }],
    ['GET', 304, ['Content-Length: 5'], { kind: 'none' }],
    ['GET', 103, [], { kind: 'none' }],
    ['POST', 200, ['Content-Length: 0'], { kind: 'length', length: 0 }],
  ] satisfies readonly (readonly [string, number, readonly string[], object])[])('of %s %d %j', (...row) => {
    const [method, status, lines, framing] = row;
    expect(framingOf(method, status, lines)).toEqual(framing);
  });

  test.each([
    [['Content-Length: 1', 'Content-Length: 2']],
    [['Content-Length: 1, 1']],
    [['Content-Length: 1', 'Transfer-Encoding: chunked']],
    [['Transfer-Encoding: gzip']],
    [['Content-Length: -1']],
  ])('of %j is invalid, with content or without', (lines) => {
    expect(framingOf('GET', 200, lines)).toMatchObject({ kind: 'problem', status: 502 });
    expect(framingOf('HEAD', 200, lines)).toMatchObject({ kind: 'problem', status: 502 });
  });
});

test('no bytes cause an exception', () => {
  const unit = fc.constantFrom('HTTP/1.1 ', '2', '0', ' ', '\r\n', '\r', '\n', ':', 'a', '\0', '\u00ff');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
      expect(['head', 'problem']).toContain(parseResponseHead(text).kind);
    }),
    { numRuns: rounds(1000) },
  );
});
