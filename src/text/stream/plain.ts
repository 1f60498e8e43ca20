/**
 * Returns whether all bytes are printable ASCII, tab or line feed. No filter changes these. Checks four bytes at a
 * time.
 */
export function isPlainBytes(bytes: Uint8Array): boolean {
  const head = Math.min(bytes.length, -bytes.byteOffset & 3);
  const words = (bytes.length - head) >> 2;
  if (words === 0) return plainBytes(bytes, 0, bytes.length);
  const tail = head + words * 4;
  return (
    plainBytes(bytes, 0, head) &&
    plainBytes(bytes, tail, bytes.length) &&
    plainWords(new Int32Array(bytes.buffer, bytes.byteOffset + head, words))
  );
}

/**
 * Checks the four bytes of a word at once. A set high bit means that a byte is not plain. The byte itself has it if it
 * is not ASCII, and byte + 1 has it if the byte is DEL. Below 0x20 only 9 and 10 are allowed. Byte + 0x60 has its high
 * bit from 0x20 on, byte + 0x77 from 9 on, and byte + 0x75 from 11 on. Only a byte that is not ASCII carries into the
 * next byte, and then the answer is no anyway.
 */
function plainWords(words: Int32Array): boolean {
  const whole = words.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const [a, b, c, d] = [
      words[at] as number,
      words[at + 1] as number,
      words[at + 2] as number,
      words[at + 3] as number,
    ];
    if ((badBits(a) | badBits(b) | badBits(c) | badBits(d)) !== 0) return false;
  }
  for (let at = whole; at < words.length; at += 1) if (badBits(words[at] as number) !== 0) return false;
  return true;
}

function badBits(word: number): number {
  const shown = (word + 0x60606060) | ((word + 0x77777777) & ~(word + 0x75757575));
  return (word | (word + 0x01010101) | ~shown) & 0x80808080;
}

function plainBytes(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte > 0x7e || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a)) return false;
  }
  return true;
}
