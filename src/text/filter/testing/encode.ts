/** The encodings that hide a text in invisible characters, as the published attacks use them. */
export function asTags(ascii: string): string {
  return Array.from(ascii, (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
}

export function asSelectors(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) =>
    String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
  ).join('');
}

export interface BitAlphabet {
  readonly zero: string;
  readonly one: string;
  readonly order?: 'most-first' | 'least-first';
  /** Between bytes. */
  readonly part?: string;
}

export function asBits(text: string, { zero, one, order = 'most-first', part = '' }: BitAlphabet): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const bits = Array.from({ length: 8 }, (_, index) => (byte >> (order === 'most-first' ? 7 - index : index)) & 1);
    return bits.map((bit) => (bit === 1 ? one : zero)).join('');
  }).join(part);
}
