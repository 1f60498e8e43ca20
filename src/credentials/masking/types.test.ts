import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialOf } from '../inject/testing/context.ts';
import { createPhantomRegistry } from '../phantoms/registry.ts';
import { chunksOf } from './testing/chunks.ts';
import { spellings } from './testing/spellings.ts';
import { createDetector, type Hit } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const secret = 'p@ss/w+rd!=EXAMPLE';
const registry = createPhantomRegistry({ key: Buffer.alloc(32, 4) });
const phantom = registry.mint(
  credentialOf({ injection: { kind: 'bearer' }, name: 'p' }),
  'ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLEe',
);
const token = registry.mint(
  credentialOf({ injection: { kind: 'bearer' }, name: 'jwt' }),
  `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"example"}').toString('base64url')}.EXAMPLE`,
);
const detector = createDetector({ registry, known: () => [{ credential: 's', text: secret }] });
const ofPhantom: Hit = { kind: 'phantom', owner: { credential: 'p', role: 'secret', state: 'good' } };

interface Outcome {
  /** What went on. */
  readonly passed: Buffer;
  readonly hit: Hit | undefined;
}

function run(chunks: readonly Buffer[]): Outcome {
  const detecting = detector.open();
  const passed: Buffer[] = [];
  for (const next of [...chunks.map((chunk) => () => detecting.push(chunk)), () => detecting.end()]) {
    const found = next();
    if (found.kind === 'hit') return { passed: Buffer.concat(passed), hit: found.hit };
    passed.push(found.bytes);
  }
  return { passed: Buffer.concat(passed), hit: undefined };
}

const escaped = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const phantomSpellings = [...spellings, ['in escapes of JSON', (text: string) => Buffer.from(escaped(text))] as const];

describe('a detector', () => {
  test.each(phantomSpellings)('finds a phantom %s, however it is cut, and nothing of it has left', (_, spell) => {
    for (const [own, credential] of [
      [phantom, 'p'],
      [token, 'jwt'],
    ] as const) {
      const before = Buffer.from('before, ');
      const bytes = Buffer.concat([before, spell(own), Buffer.from(' after')]);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }), (lengths) => {
          const { passed, hit } = run(chunksOf(bytes, lengths));
          expect(hit).toEqual({ kind: 'phantom', owner: { credential, role: 'secret', state: 'good' } });
          // `{"echo":"` in base64, and the three characters of the beginning that are too few to wait for, each of at
          // most six bytes.
          expect(passed.length).toBeLessThanOrEqual(before.length + 18 + 3 * 6);
        }),
        { numRuns: rounds(40) },
      );
    }
  });

  test.each(spellings)('finds a real secret %s', (_, spell) => {
    expect(run([Buffer.concat([Buffer.from('x '), spell(secret), Buffer.from(' y')])]).hit).toEqual({
      kind: 'secret',
      credential: 's',
    });
  });

  test('lets pass what holds nothing, as it was', () => {
    const parts = fc.oneof(
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(
        ...[
          phantom.slice(0, -1),
          phantom.slice(0, 9),
          phantom.slice(1),
          secret.slice(0, -1),
          '%41',
          '%',
          '\\u00',
          '\\',
        ].map((text) => Buffer.from(text)),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        (pieces, lengths) => {
          const bytes = Buffer.concat(pieces);
          const { passed, hit } = run(chunksOf(bytes, lengths));
          if (hit === undefined) expect(passed).toEqual(bytes);
          else expect(detector.find(bytes)).toEqual(hit);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test('finds the same in chunks as in the whole', () => {
    const parts = fc.oneof(
      fc.constantFrom(
        ...phantomSpellings.map(([, spell]) => spell(phantom)),
        ...spellings.map(([, spell]) => spell(secret)),
      ),
      fc.string({ maxLength: 12 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        (pieces, lengths) => {
          const bytes = Buffer.concat(pieces);
          expect(run(chunksOf(bytes, lengths)).hit === undefined).toBe(detector.find(bytes) === undefined);
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('names the first match', () => {
    expect(run([Buffer.from(`${phantom} ${secret}`)]).hit).toEqual(ofPhantom);
    expect(run([Buffer.from(`${secret} ${phantom}`)]).hit).toEqual({ kind: 'secret', credential: 's' });
  });

  test('releases an incomplete beginning at the end', () => {
    expect(String(run([Buffer.from(`x ${phantom.slice(0, -1)}`)]).passed)).toBe(`x ${phantom.slice(0, -1)}`);
  });

  test('goes on after the end of a message', () => {
    const detecting = detector.open();
    detecting.push(Buffer.from(`x ${phantom.slice(0, 20)}`));
    expect(detecting.end()).toEqual({ kind: 'clear', bytes: Buffer.from(phantom.slice(0, 20)) });
    expect(detecting.push(Buffer.from(phantom.slice(20)))).toEqual({ kind: 'hit', hit: ofPhantom });
  });
});
