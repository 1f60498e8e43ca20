import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer, signatureHeader, signedAt } from './webhook-channel.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const secret = 'a secret of more than sixteen bytes';
const now = 1_800_000_000_000;
const expected = { secret, hash: 'a'.repeat(64), nonce: 'b'.repeat(32), now };
const good = JSON.stringify({
  version: 1,
  hash: expected.hash,
  nonce: expected.nonce,
  decision: 'session',
  expires: now / 1000 + 60,
  code: '123456',
});
const header = signatureHeader(secret, 'answer', { timestamp: now / 1000, body: good });

/** The text with one change somewhere. */
const mutated = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(3), fc.string({ maxLength: 3 }))
    .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));

describe('an answer', () => {
  test('that is right is read', () => {
    expect(readAnswer({ signature: header, body: good }, expected)).toEqual({
      kind: 'answer',
      answer: { decision: 'session', code: '123456' },
    });
  });

  test('with any change in it, or in its signature, does not count', () => {
    fc.assert(
      fc.property(mutated(good), mutated(header), (body, signature) => {
        if (body !== good)
          expect(readAnswer({ signature: header, body }, expected)).toEqual({
            kind: 'refused',
            why: 'it is not signed with the secret',
          });
        if (signature !== header)
          expect(readAnswer({ signature, body: good }, expected)).toEqual({
            kind: 'refused',
            why: 'it is not signed with the secret',
          });
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('from a service that signs anything is one of the four to this question, or none; reading never throws', () => {
    const any = fc.oneof(fc.string(), fc.json(), mutated(good), fc.constant(good));
    fc.assert(
      fc.property(any, (body) => {
        const read = readAnswer(
          { signature: signatureHeader(secret, 'answer', { timestamp: now / 1000, body }), body },
          expected,
        );
        if (read.kind === 'refused') return;
        expect(['once', 'session', 'always', 'deny']).toContain(read.answer.decision);
        expect(JSON.parse(body)).toMatchObject({ version: 1, hash: expected.hash, nonce: expected.nonce });
      }),
      { numRuns: rounds(2000) },
    );
  });

  test.each([
    [-301, 'refused'],
    [-300, 'answer'],
    [300, 'answer'],
    [301, 'refused'],
  ] as const)('signed %i s from now: %s', (seconds, kind) => {
    expect(
      readAnswer(
        { signature: signatureHeader(secret, 'answer', { timestamp: now / 1000 + seconds, body: good }), body: good },
        expected,
      ).kind,
    ).toBe(kind);
  });

  test.each([
    [-1, 'refused'],
    [0, 'refused'],
    [1, 'answer'],
  ] as const)('that expires %i s from now: %s', (seconds, kind) => {
    const body = good.replace(String(now / 1000 + 60), String(now / 1000 + seconds));
    expect(
      readAnswer({ signature: signatureHeader(secret, 'answer', { timestamp: now / 1000, body }), body }, expected)
        .kind,
    ).toBe(kind);
  });
});

test('a signature is for one purpose, one time and one body', () => {
  const message = { timestamp: 1, body: '2.x' };
  const signed = signatureHeader(secret, 'question', message);
  expect(signedAt(secret, 'question', { header: signed, body: '2.x' })).toBe(1);
  expect(signedAt(secret, 'answer', { header: signed, body: '2.x' })).toBeUndefined();
  // The first dot separates the time from the body.
  expect(signedAt(secret, 'question', { header: signed.replace('t=1', 't=12'), body: 'x' })).toBeUndefined();
  for (const wrong of ['', 'v1=', signed.toUpperCase(), `${signed},v1=`, ` ${signed}`])
    expect(signedAt(secret, 'question', { header: wrong, body: '2.x' })).toBeUndefined();
});
