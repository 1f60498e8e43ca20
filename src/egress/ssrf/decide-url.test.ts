import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { decideUrl } from './decide-url.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('URLs that pass', () => {
  test.each([
    ['http://example.com', 'http', 'example.com', 80, 'http://example.com/'],
    ['https://example.com', 'https', 'example.com', 443, 'https://example.com/'],
    ['HTTPS://EXAMPLE.com/A', 'https', 'example.com', 443, 'https://example.com/A'],
    ['http://example.com:8080/a/b?c=d#e', 'http', 'example.com', 8080, 'http://example.com:8080/a/b?c=d'],
    ['https://example.com.:443/', 'https', 'example.com', 443, 'https://example.com/'],
    ['http://192.0.2.1:1/', 'http', '192.0.2.1', 1, 'http://192.0.2.1:1/'],
    ['http://[2001:DB8:0:0::1]:65535/', 'http', '2001:db8::1', 65_535, 'http://[2001:db8::1]:65535/'],
    ['http://example.com/a%20b/%2e%2e/c', 'http', 'example.com', 80, 'http://example.com/c'],
    ['http://example.com/\u00e4', 'http', 'example.com', 80, 'http://example.com/%C3%A4'],
    ['http://example.com?x=http://127.0.0.1/', 'http', 'example.com', 80, 'http://example.com/?x=http://127.0.0.1/'],
    ['http://a_b.example.com/', 'http', 'a_b.example.com', 80, 'http://a_b.example.com/'],
    ['http://example.com:080/', 'http', 'example.com', 80, 'http://example.com/'],
  ])('%s', (...[text, scheme, host, port, href]) => {
    const decided = decideUrl(text);
    expect(decided).toMatchObject({ kind: 'url', scheme, destination: { host, port } });
    expect(decided.kind === 'url' ? decided.url.href : '').toBe(href);
  });
});

describe('a refusal shows the right spelling', () => {
  test.each([
    ['https://b\u00fccher.example.com/', /xn--bcher-kva\.example\.com/],
    ['http://2130706433/', /write 127\.0\.0\.1 if you mean that host/],
    ['http://[::ffff:10.0.0.1]/', /write 10\.0\.0\.1/],
    ['ftp://example.com/', /https:/],
    ['http://a b/', /%20/],
    ['http://u:p@example.com/', /credentials/],
  ])('%s', (text, remedy) => {
    const decided = decideUrl(text);
    expect(decided.kind === 'refused' ? decided.refusal.remedy : 'passed').toMatch(remedy);
  });

  test('and never repeats a password', () => {
    expect(JSON.stringify(decideUrl('http://user:hunter2@example.com/'))).not.toContain('hunter2');
  });

  test('in one line without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const decided = decideUrl(`http://${text}`);
        if (decided.kind === 'refused')
          expect(`${decided.refusal.message}${decided.refusal.remedy}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe('agreement', () => {
  const unit = fc.constantFrom(
    'a',
    'Z',
    '1',
    '0',
    '.',
    '-',
    '_',
    ':',
    '/',
    '\\',
    '@',
    '#',
    '?',
    '[',
    ']',
    '%',
    '2',
    'x',
    'f',
    ' ',
    '\t',
    '\n',
    '\u3002',
    '\uff0e',
    '\u00ad',
    '&',
    ';',
    '*',
  );

  test('a passed URL has the same host and port for the URL parser and for Holdfast', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('http://', 'https://', 'http:', 'HTTP://'),
        fc.string({ unit, maxLength: 24 }),
        (scheme, rest) => {
          const decided = decideUrl(scheme + rest);
          if (decided.kind === 'refused') return;
          const theirs = new URL(scheme + rest);
          expect(normaliseHost(theirs.hostname)?.text).toBe(decided.destination.host);
          expect(Number(theirs.port === '' ? (theirs.protocol === 'https:' ? 443 : 80) : theirs.port)).toBe(
            decided.destination.port,
          );
          expect(theirs.username + theirs.password).toBe('');
          expect(decided.url.origin).toBe(new URL(decided.url.href).origin);
        },
      ),
      { numRuns: rounds(3000) },
    );
  });

  test('a passed URL passes again, unchanged', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        const once = decideUrl(text);
        if (once.kind === 'refused') return;
        const again = decideUrl(once.url.href);
        expect(again).toMatchObject({ kind: 'url', destination: once.destination });
        expect(again.kind === 'url' ? again.url.href : '').toBe(once.url.href);
      }),
    );
  });
});
