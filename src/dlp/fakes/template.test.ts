import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { knownLeads } from './leads.ts';
import { freeBits, kept, redrawn } from './places.ts';
import { templateOf } from './template.ts';

/** `#` a digit, `a` a small letter, `A` a capital one, `h` and `H` hexadecimal ones; what stays stands for itself, in `<>`. */
function shown(rule: string, value: string): string | undefined {
  const names: Readonly<Record<string, string>> = { '0123456789': '#', abcdefghijklmnopqrstuvwxyz: 'a', ABCDEFGHIJKLMNOPQRSTUVWXYZ: 'A', abcdef: 'h', ABCDEF: 'H' };
  const text = templateOf(rule, value)?.map((alphabet) => (alphabet.length === 1 ? `<${alphabet}>` : names[alphabet])).join('');
  return text?.replaceAll('><', '');
}

const jwt = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"1234567890"}').toString('base64url')}.c2ln-bmF0_dXJl`;

describe('what is kept', () => {
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

  test('of PEM is its armour, with line ends that are written out', () => {
    for (const end of ['\n', '\r\n', '\\n', '\\\\n']) {
      const value = `-----BEGIN RSA PRIVATE KEY-----${end}MIIabc+/0n${end}nnRR==${end}-----END RSA PRIVATE KEY-----${end}`;
      for (const rule of ['private-key', 'session-secret']) {
        expect(shown(rule, value)).toBe(`<-----BEGIN RSA PRIVATE KEY-----${end}>AAAaaa<+/>#a<${end}>aaAA<==${end}-----END RSA PRIVATE KEY-----${end}>`);
      }
    }
  });

  test('of every lead is all of it, and a longer one before a shorter one', () => {
    for (const lead of knownLeads) expect(shown('session-secret', `${lead}QzXy0QzXy0QzXy0QzXy`)).toMatch(new RegExp(`^<${lead.replaceAll(/[.]/gu, '\\.')}>`, 'u'));
    expect(shown('session-secret', 'sk-proj-QzXy0QzXy0')).toBe('<sk-proj->AaAa#AaAa#');
  });

  test('of a JWT with a header of any length is not more than 128 characters', () => {
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
  test('of any text has its length, at least 40 bits and for each place the class that stands there', () => {
    const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }), fc.stringMatching(/^[\da-fA-Z_-]{9,60}$/u), fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 40 }));
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
      { numRuns: 200 },
    );
  });

  test('is told its bits', () => {
    expect(freeBits([])).toBe(0);
    expect(freeBits(kept('abc'))).toBe(0);
    expect(freeBits(redrawn('00'))).toBeCloseTo(Math.log2(100));
    expect(freeBits(redrawn('xX-ff'))).toBeCloseTo(Math.log2(26 * 26 * 6 * 6));
  });

  test.each(['a-', 'eyJ', 'eyJ.', '-----BEGIN ', '\\n', '@', 'a@', 'a.', '1 ', 'GB82', '\u{1d4b3}'])('of what is made of %j to cost takes linear time', async (piece) => {
    for (const start of ['', 'eyJ', 'eyJa.', '-----BEGIN ', 'a@b']) expect(await growth((size) => templateOf('any', (start + piece.repeat(size)).slice(0, size)), 16_000)).toBeLessThan(linear);
  });
});
