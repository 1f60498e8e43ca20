import { describe, expect, test } from 'vitest';
import { textBody } from '../../egress/http/interceptor.ts';
import type { KnownSecret } from '../types.ts';
import { withoutCutSecrets } from './cut-secrets.ts';
import { createMasker } from './masker.ts';
import { chunksOf } from './testing/chunks.ts';

const secret = 'p@ss/w+rd!=EXAMPLE';
const known: readonly KnownSecret[] = [{ credential: 'main', text: secret }];
const content = `the key is ${secret}, it said`;

async function shown(part: string, lengths?: readonly number[]): Promise<{ text: string; told: readonly string[] }> {
  const told: string[] = [];
  const onMasked = (credential: string): void => void told.push(credential);
  const pieces = lengths === undefined ? [Buffer.from(part)] : chunksOf(Buffer.from(part), [...lengths]);
  const body = {
    ...textBody(''),
    [Symbol.asyncIterator]: () =>
      (async function* () {
        yield* pieces;
      })(),
  };
  const masking = createMasker({ known: () => known }).open(onMasked);
  const parts: Buffer[] = [];
  for await (const bytes of withoutCutSecrets(body, { known, onMasked })) parts.push(masking.push(bytes));
  parts.push(masking.end());
  return { text: Buffer.concat(parts).toString(), told };
}

describe('parts of an answer that shows a secret', () => {
  test('together show at most three bytes at each of its ends', async () => {
    for (let size = 4; size <= 40; size += 1) {
      for (let shift = 0; shift < size; shift += 1) {
        const collected: string[] = [];
        for (let first = -shift; first < content.length; first += size)
          collected.push((await shown(content.slice(Math.max(0, first), first + size))).text);
        const text = collected.join('').slice(11, 11 + secret.length);
        // A last part of fewer bytes stands outside of the secret here.
        expect(text.slice(3, -3)).toBe('*'.repeat(secret.length - 6));
      }
    }
  });

  test('are masked in other spellings too, and the alarm has the name', async () => {
    const coded = Buffer.from(`user:${secret}`).toString('base64');
    const { text, told } = await shown(`${coded.slice(12)} and more`);
    expect(text).toMatch(/^\*{10,}[\w=]{0,4} and more$/u);
    expect(told).toContain('main');
  });

  test('without a secret are unchanged, in any pieces', async () => {
    const long = 'nothing of a key, '.repeat(400);
    expect(await shown(long, [7, 1000, 3])).toEqual({ text: long, told: [] });
    expect(await shown('')).toEqual({ text: '', told: [] });
  });

  test('are masked at both borders of a long part', async () => {
    const long = `${secret.slice(6)}${'-'.repeat(5000)}${secret.slice(0, 9)}`;
    const { text } = await shown(long, [100]);
    expect(text).toBe(`${'*'.repeat(secret.length - 6)}${'-'.repeat(5000)}${'*'.repeat(9)}`);
  });

  test.each([1, 3, 5, 17])('are masked if the part comes in pieces of %i bytes', async (length) => {
    const long = `${secret.slice(6)}${'-'.repeat(900)}${secret.slice(0, 9)}`;
    expect((await shown(long, [length])).text).toBe((await shown(long)).text);
  });
});
