import { textOfBytes } from './text-of-bytes.ts';

/** The pairs that are used as 0 and 1. Others between them (U+200D, U+FEFF) part the bytes. */
const alphabets = [
  [0x200b, 0x200c],
  [0x2062, 0x2064],
  [0x200c, 0x200d],
  [0x200b, 0x200d],
] as const;

/** Tried with either character as 0 and either end first; the first reading that is a text. */
export function decodeBits(run: string): string | undefined {
  for (const [zero, one] of alphabets) {
    const bits = [...run].map((char) => char.codePointAt(0)).filter((point) => point === zero || point === one);
    if (bits.length < 16) continue;
    for (const digits of [bits.map((point) => (point === one ? 1 : 0)), bits.map((point) => (point === one ? 0 : 1))]) {
      const text = textOfBytes(bytesOf(digits)) ?? textOfBytes(bytesOf(digits).map(reverseBits));
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

function bytesOf(bits: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(bits.length >> 3);
  for (let index = 0; index < bytes.length * 8; index++) bytes[index >> 3] = (bytes[index >> 3]! << 1) | bits[index]!;
  return bytes;
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
}
