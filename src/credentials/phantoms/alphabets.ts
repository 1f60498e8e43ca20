const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** From the smallest to the largest. Each holds the digits of a session's tag, 2 to 7. */
const alphabets = {
  hex: `${digits}abcdef`,
  'upper-hex': `${digits}ABCDEF`,
  'upper-base32': `${upper}234567`,
  'lower-base36': digits + lower,
  /** In the order of GitHub's checksums. */
  base62: digits + upper + lower,
  base64url: `${digits + upper + lower}-_`,
} as const;

export type AlphabetName = keyof typeof alphabets;

const names = Object.keys(alphabets) as readonly AlphabetName[];

export function charactersOf(name: AlphabetName): string {
  return alphabets[name];
}

/** The smallest alphabet that a text is written in; base62, which passes everywhere, where it is written in none of them. */
export function alphabetOf(text: string): AlphabetName {
  return names.find((name) => [...text].every((character) => alphabets[name].includes(character))) ?? 'base62';
}

/** How many characters drawn from an alphabet have at least 128 bits of entropy. */
export function charactersFor128Bits(alphabet: string): number {
  return Math.ceil(128 / Math.log2(alphabet.length));
}
