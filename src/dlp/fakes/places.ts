/**
 * Possible characters at each position of a fake: an alphabet to draw from, or a single character, which is kept.
 * Alphabets have at most 26 ASCII characters.
 */
export type Template = readonly string[];

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const hexLetters = 6;

/** Keeps every character. */
export function kept(text: string): Template {
  return text.split('');
}

/**
 * Returns the alphabet of each code unit by its class: digits, lower-case letters, upper-case letters. A hexadecimal
 * run of letters and digits stays hexadecimal. Characters outside ASCII become lower-case letters. Other ASCII is kept,
 * so quoting for a shell or escaping for a format that fits the fake also fits the real value.
 */
export function redrawn(text: string): Template {
  return Array.from(text.matchAll(/[\dA-Za-z]+|[^\dA-Za-z]/gu), ([run]) => run).flatMap((run) => {
    const letters = /^[\dA-Fa-f]+$/u.test(run) ? hexLetters : lower.length;
    return run.split('').map((character) => alphabetOf(character, letters));
  });
}

/** Returns the number of bits that are drawn at random. */
export function freeBits(template: Template): number {
  return template.reduce((bits, alphabet) => bits + Math.log2(alphabet.length), 0);
}

function alphabetOf(character: string, letters: number): string {
  if (character >= '0' && character <= '9') return digits;
  if (character >= 'a' && character <= 'z') return lower.slice(0, letters);
  if (character >= 'A' && character <= 'Z') return upper.slice(0, letters);
  return character > '\x7f' ? lower : character;
}
