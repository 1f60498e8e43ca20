import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

/**
 * Whether the last six characters are the CRC-32 of those before them, in base62: GitHub's and npm's tokens behind their prefix.
 * Source: "Behind GitHub's new authentication token formats", github.blog, 2021.
 */
export function hasCrc32(body: string): boolean {
  return body.slice(-checksumLength) === crc32InBase62(body.slice(0, -checksumLength));
}

export function crc32InBase62(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < checksumLength; place += 1) {
    written = `${base62[rest % 62] ?? ''}${written}`;
    rest = Math.floor(rest / 62);
  }
  return written;
}
