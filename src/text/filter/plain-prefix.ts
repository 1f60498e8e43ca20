import { isPlain } from '../stream/plain.ts';

const piece = 32_768;

/**
 * How many characters at the beginning are known to be printable ASCII, tab or line feed, in whole pieces: engines write them
 * as bytes, and bytes are looked at, three times as fast as a string is searched. Zero for short texts.
 */
export function plainPrefix(text: string): number {
  if (text.length < piece) return 0;
  const bytes = new Uint8Array(piece);
  const encoder = new TextEncoder();
  let at = 0;
  while (at + piece <= text.length) {
    const { read, written } = encoder.encodeInto(text.slice(at, at + piece), bytes);
    if (read !== piece || written !== piece || !isPlain(bytes)) break;
    at += piece;
  }
  return at;
}
