import { crc32 } from 'node:zlib';
import { alphanumeric, digit, wordOrDash } from '../lib/characters.ts';
import { crc32InBase62 } from '../keys/development.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const alphabets = {
  hex: `${digit}abcdef`,
  base62: alphanumeric,
  base64: `${alphanumeric}+/`,
  base64url: wordOrDash,
  base32: `${upper}234567`,
  letters: upper + upper.toLowerCase(),
  'upper-base36': digit + upper,
  'lower-base36': digit + upper.toLowerCase(),
  digits: digit,
} as const;

/**
 * Pseudo-random characters, equal in every run. A linear congruential generator starts with the CRC-32 of the
 * arguments.
 */
export function chars(alphabet: keyof typeof alphabets, length: number, salt = ''): string {
  const from = alphabets[alphabet];
  let state = crc32(`${alphabet} ${length} ${salt}`);
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] ?? '';
  }).join('');
}

/** The body of a token in GitHub's form, with its checksum. */
export function withCrc32(body: string): string {
  return body + crc32InBase62(body);
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
