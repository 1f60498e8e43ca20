/** Words that people write in place of a key. Each is long enough to be hardly ever random. */
const words =
  /example|placeholder|changeme|redacted|insert|replace|your[_-]|yourkey|yourtoken|x{6}|\*{4}|0{8}|12345678|01234567|abcdefg/iu;

/** Random hex digits have about 3.6 bits at 32 characters, random base62 more than 4. */
const leastEntropy = 2.8;

/** Returns true for a placeholder of a key: it says so, repeats itself, or counts. */
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

/** `abcdef0123456789`: most characters follow the one before. */
function isCounting(text: string): boolean {
  let following = 0;
  for (let at = 1; at < text.length; at += 1) following += text.charCodeAt(at) - text.charCodeAt(at - 1) === 1 ? 1 : 0;
  return following * 2 >= text.length;
}
