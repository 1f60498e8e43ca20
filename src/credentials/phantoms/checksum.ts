import { crc32 } from 'node:zlib';
import { charactersOf } from './alphabets.ts';

export const checksumLength = 6;

/**
 * The last six characters of GitHub's and npm's tokens: the CRC-32 of those between the prefix and them, in base62.
 * Source: "Behind GitHub's new authentication token formats" (github.blog, 2021).
 */
export function githubChecksum(text: string): string {
  const digits = charactersOf('base62');
  let rest = crc32(text);
  const written = Array.from({ length: checksumLength }, () => {
    const digit = digits[rest % digits.length] ?? '';
    rest = Math.floor(rest / digits.length);
    return digit;
  });
  return written.toReversed().join('');
}
