import { randomBytes } from 'node:crypto';

/**
 * Gives every letter of a name a random case. Servers repeat the question as it was sent, so whoever forges an answer
 * without having seen the question has to guess one more bit for each letter (draft-vixie-dnsext-dns0x20).
 */
export function mixedCase(name: string): string {
  const bits = randomBytes(name.length);
  return Array.from(name, (letter, at) => ((bits[at] ?? 0) & 1 ? letter.toUpperCase() : letter)).join('');
}
