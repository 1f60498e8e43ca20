/**
 * Possible characters at each place of a fake: an alphabet to draw from, or one character, which stays. Alphabets have
 * at most 26 ASCII characters.
 */
export type Template = readonly string[];

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const hexLetters = 6;

/** Every character stays. */
export function kept(text: string): Template {
  return text.split('');
}

/**
 * Returns the alphabet of each code unit by its class: digits, small letters, capital letters. A hexadecimal run of
 * letters and digits stays hexadecimal. Characters outside ASCII become small letters. Other ASCII stays, so a fake
 * that is quoted for a shell, or escaped for a format, fits the real value too.
 */
export function redrawn(text: string): Template {
  return Array.from(text.matchAll(/[\dA-Za-z]+|[^\dA-Za-z]/gu), ([run]) => run).flatMap((run) => {
    const letters = /^[\dA-Fa-f]+$/u.test(run) ? hexLetters : lower.length;
    return run.split('').map((character) => alphabetOf(character, letters));
  });
}

/** Returns the number of equally likely fakes, in bits. */
export function freeBits(template: Template): number {
  return template.reduce((bits, alphabet) => bits + Math.log2(alphabet.length), 0);
}

function alphabetOf(character: string, letters: number): string {
  if (character >= '0' && character <= '9') return digits;
  if (character >= 'a' && character <= 'z') return lower.slice(0, letters);
  if (character >= 'A' && character <= 'Z') return upper.slice(0, letters);
  return character > '\x7f' ? lower : character;
}
