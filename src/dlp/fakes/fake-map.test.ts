import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { createFakeMap } from './fake-map.ts';
import { isPayable, knownLeads, templateOf } from './fake-template.ts';
import { freeBits, kept, redrawn } from './places.ts';
import { mapOf } from './testing/maps.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

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
        expect(
          values
            .toReversed()
            .map((value) => again.fakeFor('key', value))
            .toReversed(),
        ).toEqual(first);
      }),
    );
  });

  test('differs under another key', () => {
    const value = 'ghp_abcdefghijABCDEFGHIJ0123456789abcdef';
    expect(mapOf('a').fakeFor('github', value)).not.toBe(mapOf('b').fakeFor('github', value));
  });

  test('is never itself, of no other value, and leads back', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(keys, fc.string({ minLength: 8, maxLength: 30 })), { maxLength: 20 }),
        (values) => {
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
        },
      ),
      { numRuns: rounds(200) },
    );
  });

  test('is given back as it is when it is asked for as a value', () => {
    const map = mapOf();
    for (const value of [
      'ghp_abcdefghijABCDEFGHIJ0123456789abcdef',
      'jane.doe@corp.test',
      '4111 1111 1111 1111',
      'DE89370400440532013000',
    ]) {
      const fake = map.fakeFor('any', value) ?? '';
      for (const rule of ['any', 'session-secret']) expect(map.fakeFor(rule, fake)).toBe(fake);
    }
    expect(map.fakes()).toHaveLength(4);
  });

  test('is drawn fairly: of 256 bytes as many for each character', () => {
    expect(createFakeMap({ keyed: () => Uint8Array.of(250, 255, 253, 249) }).fakeFor('any', '1'.repeat(20))).toBe(
      '9'.repeat(20),
    );
    expect(createFakeMap({ keyed: () => Uint8Array.of(234, 255, 233) }).fakeFor('any', 'x'.repeat(20))).toBe(
      'z'.repeat(20),
    );
  });

  test('shares the kept parts with its value, and otherwise no more than by chance', () => {
    const value = `sk-ant-api03-${'xY7'.repeat(2000)}`;
    const fake = mapOf().fakeFor('anthropic', value) ?? '';
    expect(fake).toMatch(/^sk-ant-api03-(?:[a-z][A-Z]\d)+$/u);
    const same = [...fake].filter((character, at) => at >= 13 && character === value[at]).length;
    // 2000 × (1/26 + 1/26 + 1/10) = 354 are expected, ± 17.
    expect(same).toBeGreaterThan(250);
    expect(same).toBeLessThan(460);
  });

  test('of a card number or an IBAN is unassigned', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^4\d{3} \d{4} \d{4} \d{4}$/u),
        fc.stringMatching(/^DE\d{20}$/u),
        fc.string(),
        (card, iban, key) => {
          const map = mapOf(key);
          for (const [value, form] of [
            [card, /^\d{4} \d{4} \d{4} \d{4}$/u],
            [iban, /^[A-Z]{2}\d{20}$/u],
          ] as const) {
            const fake = map.fakeFor('payment', value) ?? '';
            expect(fake).toMatch(form);
            expect(isPayable(fake)).toBe(false);
          }
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('of an address is unassigned', () => {
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

  test('is missing when every draw is taken', () => {
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

  test('does not contain another value’s fake in its kept parts', () => {
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

/**
 * `#` a digit, `a` a small letter, `A` a capital one, `h` and `H` hexadecimal ones; what stays stands for itself, in
 * `<>`.
 */
function shown(rule: string, value: string): string | undefined {
  const names: Readonly<Record<string, string>> = {
    '0123456789': '#',
    abcdefghijklmnopqrstuvwxyz: 'a',
    ABCDEFGHIJKLMNOPQRSTUVWXYZ: 'A',
    abcdef: 'h',
    ABCDEF: 'H',
  };
  const text = templateOf(rule, value)
    ?.map((alphabet) => (alphabet.length === 1 ? `<${alphabet}>` : names[alphabet]))
    .join('');
  return text?.replaceAll('><', '');
}

const jwt = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"1234567890"}').toString('base64url')}.c2ln-bmF0_dXJl`;

describe('the kept part', () => {
  test.each([
    ['anthropic', 'sk-ant-api03-xB3dE6-gH8k', '<sk-ant-api03->aA#aA#<->aA#a'],
    ['github', 'ghp_aB3dE6gH8x', '<ghp_>aA#aA#aA#a'],
    ['github', 'github_pat_11QAAAAAA0bbbbbbbbb_Qc', '<github_pat_>##AAAAAAA#aaaaaaaaa<_>Aa'],
    ['aws', 'AKIAQWERTYUIOP234567', '<AKIA>AAAAAAAAAA######'],
    ['acme', 'acme_live_x7Gz9qLm2Rt5Wb8Kc3Yd6', '<acme_live_>a#Aa#aAa#Aa#Aa#Aa#Aa#'],
    ['acme', 'acme_live_x7Gz9qLm2R', '<acme_>aaaa<_>a#Aa#aAa#A'],
    ['acme', 'a_Qc-dEfGhIjKlM0m', '<a_>Aa<->aAaAaAaAaA#a'],
    ['acme', 'q_Qc-dEfGh01', 'a<_>Aa<->aAaAa##'],
    ['session-secret', 'acme_live_x7Gz9qLm2Rt5Wb8Kc3Yd6', 'aaaa<_>aaaa<_>a#Aa#aAa#Aa#Aa#Aa#Aa#'],
    ['session-secret', 'sk-ant-api03-xB3dE6-gH8k', '<sk-ant-api03->aA#aA#<->aA#a'],
    ['session-secret', 'tiny-horse-battery-staple', 'aaaa<->aaaaa<->aaaaaaa<->aaaaaa'],
    ['session-secret', 'jane@corp-mail.example.net', 'aaaa<@>aaaa<->aaaa<.>aaaaaaa<.>aaa'],
    ['session-secret', '550e8400-e29b-41d4-a716-446655440000', '###h####<->h##h<->##h#<->h###<->############'],
    ['hex', 'DEADBEEF0123456789', 'HHHHHHHH##########'],
    ['hex', 'deadBEEF0123456789', 'hhhhHHHH##########'],
    ['hex', 'deadbeefg0123456789', 'aaaaaaaaa##########'],
    ['any', 'pässwort und größer', 'aaaaaaaa< >aaa< >aaaaaa'],
    ['any', 'key𝒳𝒳𝒳𝒳=!x', 'aaaaaaaaaaa<=!>a'],
    ['card', '4111 1111 1111 1111', '<4>###< >####< >####< >####'],
    ['card', '4222222222222', '#############'],
    ['iban', 'GB82 WEST 1234 5698 7654 32', '<GB>##< >AAAA< >####< >####< >####< >##'],
    ['email', 'jane.doe+x1@corp.test', 'aaaa<.>aaa<+>a#<@example.com>'],
    ['email', 'bob@gmail.test', 'aaaaaaaaa<@example.com>'],
    ['email', 'Ünal@mail.test', 'aaaaaaaaa<@example.com>'],
    ['jwt', jwt, '<eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ>aaAAaAaAaAaA#AAA#AAaaAa#<.>a#aa<->aaA#<_>aAAa'],
  ])('of %s %s is %s', (rule, value, expected) => {
    expect(shown(rule, value)).toBe(expected);
  });

  test('of PEM is its armour, with escaped line ends', () => {
    for (const end of ['\n', '\r\n', '\\n', '\\\\n']) {
      const value = `-----BEGIN RSA PRIVATE KEY-----${end}MIIabc+/0n${end}nnRR==${end}-----END RSA PRIVATE KEY-----${end}`;
      for (const rule of ['private-key', 'session-secret']) {
        expect(shown(rule, value)).toBe(
          `<-----BEGIN RSA PRIVATE KEY-----${end}>AAAaaa<+/>#a<${end}>aaAA<==${end}-----END RSA PRIVATE KEY-----${end}>`,
        );
      }
    }
  });

  test('of every lead is all of it, longer leads first', () => {
    for (const lead of knownLeads)
      expect(shown('session-secret', `${lead}QzXy0QzXy0QzXy0QzXy`)).toMatch(
        new RegExp(`^<${lead.replaceAll(/[.]/gu, '\\.')}>`, 'u'),
      );
    expect(shown('session-secret', 'sk-proj-QzXy0QzXy0')).toBe('<sk-proj->AaAa#AaAa#');
  });

  test('of a JWT has at most 128 characters, with a header of any length', () => {
    const long = `eyJ${'z'.repeat(200)}.eyJ${'z'.repeat(20)}.c`;
    expect(shown('jwt', long)).toBe(`<eyJ>${'a'.repeat(200)}<.>aaA${'a'.repeat(20)}<.>h`);
  });
});

describe('no fake is made', () => {
  test.each([
    ['of nothing', ''],
    ['of a few characters', 'hunter2'],
    ['of eleven digits', '12345678901'],
    ['of a social security number', '123-45-6789'],
    ['of a telephone number', '+1 415 555 2671'],
    ['of nothing but signs', '!"§$%&/()=?'.repeat(3).replaceAll('§', '#')],
    ['where only the lead is long', 'sk-ant-api03-abc'],
    ['where it would begin with what every text may hold', `${'-'.repeat(250)}abcdefghijklmnop`],
    ['of what is very long', 'a'.repeat(16_385)],
    ['of an armour with nothing in it', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----'],
  ])('%s', (_, value) => {
    for (const rule of ['any', 'session-secret']) expect(templateOf(rule, value)).toBeUndefined();
  });
});

describe('a template', () => {
  test('of any text has its length, at least 40 bits, and the class of each place', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.stringMatching(/^[\da-fA-Z_-]{9,60}$/u),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 40 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('any', 'session-secret'), (value, rule) => {
        const template = templateOf(rule, value);
        if (template === undefined || template.slice(-12).join('') === '@example.com') return;
        expect(template).toHaveLength(value.length);
        expect(freeBits(template)).toBeGreaterThanOrEqual(40);
        for (const [at, alphabet] of template.entries()) {
          expect(alphabet).toMatch(/^[\0-\x7f]+$/u);
          if (value.charCodeAt(at) < 0x80) expect(alphabet).toContain(value.charAt(at));
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  test('has its bits', () => {
    expect(freeBits([])).toBe(0);
    expect(freeBits(kept('abc'))).toBe(0);
    expect(freeBits(redrawn('00'))).toBeCloseTo(Math.log2(100));
    expect(freeBits(redrawn('xX-ff'))).toBeCloseTo(Math.log2(26 * 26 * 6 * 6));
  });

  test.each(['a-', 'eyJ', 'eyJ.', '-----BEGIN ', '\\n', '@', 'a@', 'a.', '1 ', 'GB82', '\u{1d4b3}'])(
    'of costly text from %j takes linear time',
    async (piece) => {
      for (const start of ['', 'eyJ', 'eyJa.', '-----BEGIN ', 'a@b'])
        expect(
          await growth((size) => templateOf('any', (start + piece.repeat(size)).slice(0, size)), 16_000),
        ).toBeLessThan(linear);
    },
  );
});
