import { crc32 } from 'node:zlib';
import { alphanumeric, digit, hexDigit, asciiLetters, wordOrDash } from '../lib/characters.ts';
import { crc32InBase62 } from '../keys/development.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const alphabets = {
  hex: hexDigit,
  base62: alphanumeric,
  base64: `${alphanumeric}+/`,
  base64url: wordOrDash,
  base32: `${upper}234567`,
  letters: asciiLetters,
  'upper-base36': digit + upper,
  'lower-base36': digit + upper.toLowerCase(),
  digits: digit,
} as const;

/**
 * Characters that look drawn by chance and are the same in every run: a linear congruential generator begun with the
 * CRC-32 of all that is asked for.
 */
export function chars(alphabet: keyof typeof alphabets, length: number, salt = ''): string {
  const from = alphabets[alphabet];
  let state = crc32(`${alphabet} ${length} ${salt}`);
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] ?? '';
  }).join('');
}

/** The body of a token of GitHub's kind, with its checksum. */
export function withCrc32(body: string): string {
  return body + crc32InBase62(body);
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
