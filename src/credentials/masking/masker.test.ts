import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KnownSecret } from '../types.ts';
import { encodingsOf } from './encodings.ts';
import { createMasker } from './masker.ts';
import { chunksOf } from './testing/chunks.ts';
import { exampleSecrets, reflectedSpellings, spellings, unlike } from './testing/spellings.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function secretsOf(...texts: readonly string[]): readonly KnownSecret[] {
  return texts.map((text, index) => ({ credential: `c${index}`, text }));
}

interface Masked {
  readonly text: Buffer;
  readonly parts: readonly Buffer[];
  readonly told: readonly string[];
}

function mask(chunks: readonly Buffer[], secrets: readonly KnownSecret[]): Masked {
  const told: string[] = [];
  const masking = createMasker({ known: () => secrets }).open((credential) => told.push(credential));
  const parts = [...chunks.map((chunk) => masking.push(chunk)), masking.end()];
  return { text: Buffer.concat(parts), parts, told };
}

const chunkLengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });

describe('a secret in the stream', () => {
  for (const secret of exampleSecrets) {
    test.each([...spellings, ...reflectedSpellings])(`%s is masked (${secret})`, (_, spell) => {
      const spelled = spell(secret);
      const bytes = Buffer.concat([Buffer.from('before '), spelled, Buffer.from(' after')]);
      const { text, told } = mask([bytes], secretsOf(secret));
      expect(text.length).toBe(bytes.length);
      expect(new Set(told)).toEqual(new Set(['c0']));
      expect(String(text.subarray(0, 7)) + String(text.subarray(-6))).toBe('before  after');
      // Base64 mixes the first and the last characters with what stands beside them: up to four bits of the secret
      // each.
      const own = unlike(spelled, spell('~'.repeat(Buffer.byteLength(secret))));
      for (let at = 2; at + 6 < own.length - 2; at += 1) expect(text.includes(own.subarray(at, at + 6))).toBe(false);
    });
  }

  test('never comes out in any spelling, however it is cut, and everything else does', () => {
    const secret = 'p@ss/w+rd!=EXAMPLE';
    const other = 'EXAMPLE-secret-0189';
    const parts = fc.oneof(
      fc.string({ maxLength: 10 }).map((text) => Buffer.from(text)),
      fc.constantFrom(
        ...[...spellings, ...reflectedSpellings].flatMap(([, spell]) => [
          spell(secret),
          spell(other),
          spell(secret).subarray(0, 9),
          spell(secret).subarray(3),
        ]),
      ),
    );
    const patterns = [secret, other].flatMap((text) => encodingsOf(text));
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 6 }), chunkLengths, (pieces, lengths) => {
        const bytes = Buffer.concat(pieces);
        const { text } = mask(chunksOf(bytes, lengths), secretsOf(secret, other));
        expect(text.length).toBe(bytes.length);
        for (const pattern of patterns) expect(text.includes(pattern)).toBe(false);
        const whole = mask([bytes], secretsOf(secret, other)).text;
        for (const [at, byte] of text.entries())
          if (byte !== bytes[at]) expect([byte, whole[at]]).toEqual([0x2a, 0x2a]);
        if (!patterns.some((pattern) => bytes.includes(pattern))) expect(text).toEqual(bytes);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('shows at most its first three bytes where it comes in pieces, and its cutting changes nothing else', () => {
    const secret = 'EXAMPLE-secret-0189';
    const bytes = Buffer.from(`a ${secret} b ${secret}`);
    fc.assert(
      fc.property(chunkLengths, (lengths) => {
        const text = String(mask(chunksOf(bytes, lengths), secretsOf(secret)).text);
        expect(text).toMatch(/^a [EXA*]{3}\*{16} b [EXA*]{3}\*{16}$/u);
      }),
    );
  });

  test('is masked where two overlap, and where one is in the other', () => {
    expect(String(mask([Buffer.from('xabcdefghijklmy')], secretsOf('abcdefgh', 'fghijklm')).text)).toBe(
      'x*************y',
    );
    expect(String(mask([Buffer.from('xabcdefghijklmy')], secretsOf('abcdefghijklm', 'cdefghij')).text)).toBe(
      'x*************y',
    );
  });

  test('is masked from the moment that it is known', () => {
    const known: KnownSecret[] = [];
    const masking = createMasker({ known: () => known }).open(() => undefined);
    expect(String(masking.push(Buffer.from('EXAMPLE-secret ')))).toBe('EXAMPLE-secret ');
    known.push({ credential: 'c', text: 'EXAMPLE-secret' });
    expect(String(masking.push(Buffer.from('EXAMPLE-secret ')))).toBe('************** ');
    known.pop();
    expect(String(masking.push(Buffer.from('EXAMPLE-secret ')))).toBe('EXAMPLE-secret ');
  });

  test('is reported once for each occurrence', () => {
    const { told } = mask(chunksOf(Buffer.from('EXAMPLE-secret and EXAMPLE-secret'), [3]), secretsOf('EXAMPLE-secret'));
    expect(told).toEqual(['c0', 'c0']);
  });

  test('is masked at its end too where a message ended inside of it', () => {
    const masking = createMasker({ known: () => secretsOf('EXAMPLE-secret') }).open(() => undefined);
    const given = [
      masking.push(Buffer.from('x EXAMPLE')),
      masking.end(),
      masking.push(Buffer.from('-sec')),
      masking.end(),
      masking.push(Buffer.from('ret y')),
      masking.end(),
    ];
    expect(given.map(String)).toEqual(['x ', 'EXAMPLE', '', '-sec', '*** y', '']);
  });

  test('can be masked with another character', () => {
    expect(
      createMasker({ known: () => secretsOf('EXAMPLE-secret'), replaceWith: '.' }).maskText(
        'EXAMPLE-secret',
        () => undefined,
      ),
    ).toBe('..............');
  });
});

describe('text without a secret', () => {
  test('goes on at once, except for a possible beginning of one', () => {
    const { parts } = mask(
      ['an event\n\n', 'half EXA', 'half EXAMPL', 'E of nothing', 'EXAMPLE-secre'].map((text) => Buffer.from(text)),
      secretsOf('EXAMPLE-secret'),
    );
    expect(parts.map(String)).toEqual(['an event\n\n', 'half EXA', 'half ', 'EXAMPLE of nothing', '', 'EXAMPLE-secre']);
  });

  test('is the very bytes that came', () => {
    const bytes = Buffer.from('nothing to see');
    expect(mask([bytes], secretsOf('EXAMPLE-secret')).parts[0]?.buffer).toBe(bytes.buffer);
    expect(mask([bytes], []).parts[0]?.buffer).toBe(bytes.buffer);
  });
});

describe('a header value', () => {
  const told: string[] = [];
  const masker = createMasker({ known: () => secretsOf('EXAMPLE-secret', 'short', 'é-EXAMPLE-é', '') });
  test.each([
    ['EXAMPLE-secret', '**************', ['c0']],
    ['Bearer EXAMPLE-secret, x', 'Bearer **************, x', ['c0']],
    ['short', '*****', ['c1']],
    ['shorter', 'shorter', []],
    ['a short word', 'a short word', []],
    ['', '', []],
    [Buffer.from('x é-EXAMPLE-é').toString('latin1'), 'x *************', ['c2']],
    ['x é-EXAMPLE-é', 'x ***********', ['c2']],
    ['é', 'é', []],
  ])('%j is shown as %j', (value, shown, credentials) => {
    told.length = 0;
    expect(masker.maskText(value, (credential) => told.push(credential))).toBe(shown);
    expect(told).toEqual(credentials);
  });

  test('with a short secret is masked only as a whole, because short texts stand everywhere', () => {
    expect(String(mask([Buffer.from('short')], secretsOf('short')).text)).toBe('short');
  });
});
