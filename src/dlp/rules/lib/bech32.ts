const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Whether a text in lower case ends with its six characters of checksum. Source: BIP 173. */
export function isBech32(text: string): boolean {
  const separator = text.lastIndexOf('1');
  const values = valuesOf(text.slice(separator + 1));
  return separator > 0 && values.length >= 6 && !values.includes(-1) && polymod([...expanded(text.slice(0, separator)), ...values]) === 1;
}

/** The six characters for a prefix and what stands behind the separator. */
export function bech32Checksum(prefix: string, data: string): string {
  const rest = polymod([...expanded(prefix), ...valuesOf(data), 0, 0, 0, 0, 0, 0]) ^ 1;
  return Array.from({ length: 6 }, (_, place) => alphabet[(rest >>> (5 * (5 - place))) & 31] ?? '').join('');
}

function valuesOf(data: string): readonly number[] {
  return [...data].map((character) => alphabet.indexOf(character));
}

function expanded(prefix: string): readonly number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let rest = 1;
  for (const value of values) {
    const top = rest >>> 25;
    rest = ((rest & 0x1ffffff) << 5) ^ value;
    for (const [place, term] of generator.entries()) rest ^= (top >>> place) & 1 ? term : 0;
  }
  return rest >>> 0;
}
