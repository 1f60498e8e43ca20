import { execFileSync } from 'node:child_process';
import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApprovalSubject } from '../types.ts';
import { canonicalJson, requestHash } from './request-hash.ts';
import { askingVerdict, subject, writing } from './testing/subjects.ts';

describe('canonical JSON', () => {
  test.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: undefined, b: [{ d: 1, c: 2 }] }, '{"b":[{"c":2,"d":1}]}'],
    [['b', 'a'], '["b","a"]'],
    ['\ud800', String.raw`"\ud800"`],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ])('%j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('does not depend on the order of keys, and tells different values apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const text = canonicalJson(one);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(one)));
        expect(canonicalJson(reversed(one))).toBe(text);
        if (canonicalJson(other) === text)
          expect(JSON.parse(JSON.stringify(other))).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });
});

describe('the hash of a request', () => {
  const base: ApprovalSubject = {
    request: writing('/home/dev/app/a'),
    verdict: askingVerdict(),
    process: 1,
    details: ['x', 'y'],
  };
  const hash = requestHash('s1', base);

  test.each<readonly [string, string, ApprovalSubject]>([
    ['the session', 's2', base],
    ['the path', 's1', { ...base, request: writing('/home/dev/app/b') }],
    ['the operation', 's1', { ...base, request: { kind: 'file', operation: 'create', path: '/home/dev/app/a' } }],
    ['the rule', 's1', { ...base, verdict: askingVerdict('other') }],
    ['the file of the rule', 's1', { ...base, verdict: askingVerdict('ask-migrations', { file: 'holdfast.toml' }) }],
    ['the message', 's1', { ...base, verdict: askingVerdict('ask-migrations', { message: 'other' }) }],
    ['the details', 's1', { ...base, details: ['x'] }],
    ['where one detail ends', 's1', { ...base, details: ['x,y'] }],
    ['that there are any', 's1', { request: base.request, verdict: base.verdict }],
  ])('differs with a different %s', (...[, session, other]) => {
    expect(requestHash(session, other)).not.toBe(hash);
  });

  test('is unpredictable: it contains a number of the process that no box knows', () => {
    const salted = ['a', 'b'].map((salt) => requestHash('s1', base, salt));
    expect(new Set([hash, ...salted]).size).toBe(3);
    const elsewhere = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { requestHash } from ${JSON.stringify(new URL('request-hash.ts', import.meta.url).href)}; console.log(requestHash('s1', ${JSON.stringify(base)}))`,
      ],
      { encoding: 'utf8' },
    );
    expect(elsewhere.trim()).toMatch(/^[0-9a-f]{64}$/u);
    expect(elsewhere.trim()).not.toBe(hash);
  });

  test.each<readonly [string, string, string]>([
    ['composed and decomposed letters', '/home/dev/\u00e9', '/home/dev/e\u0301'],
    ['a lone surrogate and its escape', '/home/dev/\ud800', String.raw`/home/dev/\ud800`],
    ['one lone surrogate and another', '/home/dev/\ud800', '/home/dev/\udfff'],
    ['a lone surrogate and what decoders put for it', '/home/dev/\ud800', '/home/dev/\ufffd'],
    ['long texts whose ends differ', `/${'x'.repeat(1_000_000)}a`, `/${'x'.repeat(1_000_000)}b`],
  ])('tells apart %s', (...[, one, other]) => {
    expect(requestHash('s1', subject(writing(one)))).not.toBe(requestHash('s1', subject(writing(other))));
  });

  test('is the same for another process, and for no details at all', () => {
    expect(requestHash('s1', { ...base, process: 2 })).toBe(hash);
    expect(requestHash('s1', { ...subject(), details: [] })).toBe(requestHash('s1', subject()));
  });

  test('tells commands apart by their words, not by their text', () => {
    const hashes = [
      ['sh', '-c', 'a b'],
      ['sh', '-c', 'a', 'b'],
      ['sh', '-c a', 'b'],
    ].map((argv) => requestHash('s1', subject({ kind: 'exec', program: '/bin/sh', argv, context: 'direct' })));
    expect(new Set(hashes).size).toBe(3);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
