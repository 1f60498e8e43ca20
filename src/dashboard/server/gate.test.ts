import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gateRefusal, type RequestFacts } from './start.ts';

const authority = '127.0.0.1:8080';
const origin = `http://${authority}`;
const nothing: RequestFacts = {
  method: 'GET',
  target: '/',
  host: authority,
  origin: undefined,
  site: undefined,
  mode: undefined,
  destination: undefined,
  contentType: undefined,
};
const post: RequestFacts = {
  ...nothing,
  method: 'POST',
  target: '/api/approvals',
  origin,
  site: 'same-origin',
  contentType: 'application/json',
};

describe('passes', () => {
  const rows: readonly (readonly [string, RequestFacts])[] = [
    ['a typed address', { ...nothing, site: 'none', mode: 'navigate', destination: 'document' }],
    [
      'a link from elsewhere to the page itself',
      { ...nothing, site: 'cross-site', mode: 'navigate', destination: 'document' },
    ],
    [
      'the page’s own script',
      { ...nothing, target: '/page.js', site: 'same-origin', mode: 'cors', destination: 'script' },
    ],
    [
      'the page’s own question',
      { ...nothing, target: '/api/events?from=0', site: 'same-origin', mode: 'cors', destination: 'empty' },
    ],
    ['the page’s own change', post],
    ['a browser that says nothing about sites', { ...post, site: undefined }],
  ];
  test.each(rows)('%s', (_, facts) => expect(gateRefusal(facts, authority)).toBeUndefined());
});

describe('refuses', () => {
  const rows: readonly (readonly [string, RequestFacts])[] = [
    ['a foreign name that leads here', { ...nothing, host: 'evil.example:8080' }],
    ['another name of this machine', { ...nothing, host: 'localhost:8080' }],
    ['another spelling of the address', { ...nothing, host: '127.1:8080' }],
    ['a name without the port', { ...nothing, host: '127.0.0.1' }],
    ['another port', { ...nothing, host: '127.0.0.1:8081' }],
    ['no name', { ...nothing, host: undefined }],
    ['an absolute target', { ...nothing, target: 'http://evil.example/' }],
    ['a target that browsers take for another host', { ...nothing, target: '//evil.example/' }],
    ['an asterisk', { ...nothing, target: '*' }],
    ['another method', { ...post, method: 'PUT' }],
    ['a question before a foreign request', { ...post, method: 'OPTIONS', origin: 'http://evil.example' }],
    ['a foreign origin', { ...post, origin: 'http://evil.example' }],
    ['a foreign origin that reads', { ...nothing, target: '/api/stream', origin: 'http://evil.example' }],
    [
      'another port of this address, with the same cookies',
      { ...post, origin: 'http://127.0.0.1:3000', site: 'same-site' },
    ],
    ['an origin without a name', { ...post, origin: 'null' }],
    ['TLS, which is another origin', { ...post, origin: `https://${authority}` }],
    ['a change that names no origin', { ...post, origin: undefined }],
    ['a stream for another site', { ...nothing, target: '/api/stream', site: 'cross-site' }],
    ['a stream for another port', { ...nothing, target: '/api/stream', site: 'same-site' }],
    [
      'a typed address of the stream',
      { ...nothing, target: '/api/stream', site: 'none', mode: 'navigate', destination: 'document' },
    ],
    ['the page as a frame', { ...nothing, site: 'cross-site', mode: 'navigate', destination: 'iframe' }],
    ['the page as a script', { ...nothing, site: 'cross-site', mode: 'no-cors', destination: 'script' }],
    [
      'the page by a script that says it is a document',
      { ...nothing, site: 'cross-site', mode: 'no-cors', destination: 'document' },
    ],
    [
      'the style sheet of another site',
      { ...nothing, target: '/page.css', site: 'cross-site', mode: 'no-cors', destination: 'style' },
    ],
    ['what a form can send', { ...post, contentType: 'text/plain' }],
    ['JSON with something behind it', { ...post, contentType: 'application/json, text/plain' }],
    ['no type', { ...post, contentType: undefined }],
  ];
  test.each(rows)('%s', (_, facts) => expect(gateRefusal(facts, authority)).toMatch(/./u));
});

test('no name and no origin but our own pass', () => {
  const texts = fc.oneof(fc.string(), fc.webAuthority({ withPort: true }), fc.webUrl());
  fc.assert(
    fc.property(texts, texts, (host, from) => {
      if (host !== authority) expect(gateRefusal({ ...post, host }, authority)).toBeDefined();
      if (from !== origin) expect(gateRefusal({ ...post, origin: from }, authority)).toBeDefined();
    }),
  );
});
