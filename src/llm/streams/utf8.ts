const replacement = '\ufffd';

/**
 * The text of bytes that are UTF-8, and of no others: writing it gives the very same bytes. A byte order mark stays.
 */
export function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // The replacement character may also stand there itself. Comparing is cheaper than a decoder that throws, for a
  // stream of nothing but broken bytes.
  return text.includes(replacement) && !Buffer.from(text).equals(bytes) ? undefined : text;
}

/** Whether text that was read as Latin-1 has no other characters than those of ASCII. */
export function isAscii(latin1: string): boolean {
  return Buffer.byteLength(latin1) === latin1.length;
}
