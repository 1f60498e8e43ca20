import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPayable } from './checksums.ts';
import { createFakeMap } from './fake-map.ts';
import { mapOf } from './testing/maps.ts';

const keys = fc.stringMatching(/^(?:sk-ant-api03-|ghp_|AKIA|)[\da-zA-Z_-]{20,40}$/u);

describe('the fake of a value', () => {
  test('is the same in every turn, and after a new beginning with the same key', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 10 }), (values) => {
        const map = mapOf();
        const first = values.map((value) => map.fakeFor('key', value));
        expect(values.map((value) => map.fakeFor('key', value))).toEqual(first);
        expect(values.map((value) => map.fakeFor('session-secret', value))).toEqual(first);
        const again = mapOf();
        expect(values.toReversed().map((value) => again.fakeFor('key', value)).toReversed()).toEqual(first);
      }),
    );
  });

  test('is another one with another key', () => {
    const value = 'ghp_abcdefghijABCDEFGHIJ0123456789abcdef';
    expect(mapOf('a').fakeFor('github', value)).not.toBe(mapOf('b').fakeFor('github', value));
  });

  test('is never itself, of no other value, and leads back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(keys, fc.string({ minLength: 8, maxLength: 30 })), { maxLength: 20 }), (values) => {
        const map = mapOf();
        const pairs = values.flatMap((value) => {
          const fake = map.fakeFor('any', value);
          return fake === undefined ? [] : [{ value, fake }];
        });
        expect(new Set(pairs.map(({ fake }) => fake)).size).toBe(pairs.length);
        for (const { value, fake } of pairs) {
          expect(map.realOf(fake)).toBe(value);
          expect(map.realOf(value)).toBeUndefined();
          expect(values).not.toContain(fake);
          expect(fake).toMatch(/^[\0-\x7f]*$/u);
        }
        expect(map.fakes()).toEqual(pairs.map(({ fake }) => fake));
      }),
      { numRuns: 200 },
    );
  });

  test('is given back as it is when it is asked for as a value', () => {
    const map = mapOf();
    for (const value of ['ghp_abcdefghijABCDEFGHIJ0123456789abcdef', 'jane.doe@corp.test', '4111 1111 1111 1111', 'DE89370400440532013000']) {
      const fake = map.fakeFor('any', value) ?? '';
      for (const rule of ['any', 'session-secret']) expect(map.fakeFor(rule, fake)).toBe(fake);
    }
    expect(map.fakes()).toHaveLength(4);
  });

  test('is drawn fairly: of 256 bytes as many for each character', () => {
    expect(createFakeMap({ keyed: () => Uint8Array.of(250, 255, 253, 249) }).fakeFor('any', '1'.repeat(20))).toBe('9'.repeat(20));
    expect(createFakeMap({ keyed: () => Uint8Array.of(234, 255, 233) }).fakeFor('any', 'x'.repeat(20))).toBe('z'.repeat(20));
  });

  test('shares with its value what is kept, and otherwise no more than chance would', () => {
    const value = `sk-ant-api03-${'xY7'.repeat(2000)}`;
    const fake = mapOf().fakeFor('anthropic', value) ?? '';
    expect(fake).toMatch(/^sk-ant-api03-(?:[a-z][A-Z]\d)+$/u);
    const same = [...fake].filter((character, at) => at >= 13 && character === value[at]).length;
    // 2000 × (1/26 + 1/26 + 1/10) = 354 are expected, ± 17.
    expect(same).toBeGreaterThan(250);
    expect(same).toBeLessThan(460);
  });

  test('of a card number or an IBAN is none that anybody has', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^4\d{3} \d{4} \d{4} \d{4}$/u), fc.stringMatching(/^DE\d{20}$/u), fc.string(), (card, iban, key) => {
        const map = mapOf(key);
        for (const [value, form] of [[card, /^\d{4} \d{4} \d{4} \d{4}$/u], [iban, /^[A-Z]{2}\d{20}$/u]] as const) {
          const fake = map.fakeFor('payment', value) ?? '';
          expect(fake).toMatch(form);
          expect(isPayable(fake)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of an address is one that is nobody\'s', () => {
    expect(mapOf().fakeFor('email', 'jane.doe@corp.test')).toMatch(/^[a-z]{4}\.[a-z]{5}@example\.com$/u);
  });

  test('is drawn again where it is a value that was given before, or one of its fakes', () => {
    const wanted = mapOf().fakeFor('any', 'abcdefghijklmnop') ?? '';
    const map = mapOf();
    map.fakeFor('any', wanted);
    const other = map.fakeFor('any', 'abcdefghijklmnop') ?? '';
    expect(other).toMatch(/^[a-z]{16}$/u);
    expect(other).not.toBe(wanted);
    expect(map.realOf(other)).toBe('abcdefghijklmnop');
  });

  test('is none where everything that is drawn is taken', () => {
    const keyed = (): Uint8Array => new Uint8Array(32).fill(7);
    expect(createFakeMap({ keyed }).fakeFor('any', 'h'.repeat(16)), 'it would be itself').toBeUndefined();
    const same = createFakeMap({ keyed });
    expect(same.fakeFor('any', 'abcdefghijklmnop')).toBe('h'.repeat(16));
    expect(same.fakeFor('any', 'bbcdefghijklmnop')).toBeUndefined();
    expect(same.fakeFor('any', 'abcdefghijklmnopq'), 'one stands in another').toBeUndefined();
    expect(same.fakeFor('any', 'abcdefghijklmno'), 'one stands in another').toBeUndefined();
    expect(same.fakeFor('any', 'ABCDEFGHIJKLMNOP')).toBe('H'.repeat(16));
    expect(same.fakes()).toEqual(['h'.repeat(16), 'H'.repeat(16)]);
  });

  test('does not hold one of another value in what is kept of it', () => {
    const map = mapOf();
    const inner = map.fakeFor('any', 'abcdefghijklmnopqrst') ?? '';
    expect(map.fakeFor('jwt', `eyJ${inner}.eyJhYmNkZWZnaGlqa2xtbm9w.c2ln`)).toBeUndefined();
  });
});

describe('a session', () => {
  test('has at most ten thousand', () => {
    const map = mapOf();
    const valueOf = (index: number): string => `ghp_abcdefghijABCDEFGHIJ${String(index).padStart(6, '0')}`;
    for (let index = 0; index < 10_000; index += 1) map.fakeFor('github', valueOf(index));
    expect(new Set(map.fakes()).size).toBe(10_000);
    expect(map.fakeFor('github', valueOf(10_000))).toBeUndefined();
    expect(map.realOf(map.fakeFor('github', valueOf(77)) ?? '')).toBe(valueOf(77));
  });

  test('has at most a million characters of them', () => {
    const map = mapOf();
    const long = (index: number): string => `${String(index).padStart(16, '0')}${'x'.repeat(16_000)}`;
    for (let index = 0; index < 80; index += 1) map.fakeFor('any', long(index));
    expect(map.fakes()).toHaveLength(Math.floor((1 << 20) / 16_016));
    expect(map.fakeFor('github', 'ghp_abcdefghijABCDEFGHIJ0123456789abcdef')).toHaveLength(40);
  });

  test('knows a lone surrogate from another', () => {
    const map = mapOf();
    const fakes = ['\ud800', '\ud801', '\ufffd'].map((unit) => map.fakeFor('any', `abcdefghijklmnop${unit}`));
    expect(new Set(fakes).size).toBe(3);
    expect(mapOf().fakeFor('any', 'abcdefghijklmnop\ud801')).toBe(fakes[1]);
  });

  test('tells names of objects from fakes', () => {
    const map = mapOf();
    for (const name of ['constructor', '__proto__', 'toString']) expect(map.realOf(name)).toBeUndefined();
    expect(map.fakeFor('any', 'hasOwnProperty')).toMatch(/^[a-z]{3}[A-Z][a-z]{2}[A-Z][a-z]{7}$/u);
  });
});
