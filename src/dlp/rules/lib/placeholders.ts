/** Words that people write instead of a key. Each is so long that random keys hardly ever contain it. */
const words =
  /example|placeholder|changeme|redacted|insert|replace|your[_-]|yourkey|yourtoken|x{6}|\*{4}|0{8}|12345678|01234567|abcdefg/iu;

/** Random hexadecimal text of 32 characters has an entropy of about 3.6 bits. Random base62 has more than 4. */
const leastEntropy = 2.8;

/** Returns true for a placeholder of a key: it contains such a word, repeats itself, or counts. */
export function isPlaceholder(value: string): boolean {
  return words.test(value) || entropyOf(value) < leastEntropy || isCounting(value);
}

/** Shannon entropy, in bits for each character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Returns true for text like `abcdef0123456789`: most characters are the successor of the one before. */
function isCounting(text: string): boolean {
  let following = 0;
  for (let at = 1; at < text.length; at += 1) following += text.charCodeAt(at) - text.charCodeAt(at - 1) === 1 ? 1 : 0;
  return following * 2 >= text.length;
}
