const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** Of ASCII text. The polynomial of IEEE 802.3, as zlib has it. */
export function crc32(text: string): number {
  let rest = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) rest = (rest >>> 8) ^ (table[(rest ^ text.charCodeAt(at)) & 255] ?? 0);
  return (rest ^ 0xffffffff) >>> 0;
}

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
