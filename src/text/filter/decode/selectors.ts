import { textOfBytes } from './text-of-bytes.ts';

/** VS1–16 are the bytes 0–15 and VS17–256 the bytes 16–255; Mongolian selectors carry none. */
export function decodeSelectors(run: string): string | undefined {
  const bytes = [...run].map((char) => byteOf(char.codePointAt(0)!)).filter((byte) => byte !== undefined);
  return textOfBytes(Uint8Array.from(bytes));
}

function byteOf(point: number): number | undefined {
  if (point >= 0xfe00 && point <= 0xfe0f) return point - 0xfe00;
  return point >= 0xe0100 && point <= 0xe01ef ? point - 0xe0100 + 16 : undefined;
}
