/**
 * What may stand at each place of a fake: an alphabet to draw from, or one character, which stays. Alphabets are at
 * most 26 characters of ASCII.
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
 * For each code unit the alphabet of its class: digits, small letters, capital letters. In a run of letters and digits
 * that are all hexadecimal only letters that are. What is not ASCII becomes a small letter. Other ASCII stays: who
 * quotes the fake for a shell or escapes it for a format has then quoted the real one.
 */
export function redrawn(text: string): Template {
  return Array.from(text.matchAll(/[\dA-Za-z]+|[^\dA-Za-z]/gu), ([run]) => run).flatMap((run) => {
    const letters = /^[\dA-Fa-f]+$/u.test(run) ? hexLetters : lower.length;
    return run.split('').map((character) => alphabetOf(character, letters));
  });
}

/** Of so many equally likely texts a fake is one, in bits. */
export function freeBits(template: Template): number {
  return template.reduce((bits, alphabet) => bits + Math.log2(alphabet.length), 0);
}

function alphabetOf(character: string, letters: number): string {
  if (character >= '0' && character <= '9') return digits;
  if (character >= 'a' && character <= 'z') return lower.slice(0, letters);
  if (character >= 'A' && character <= 'Z') return upper.slice(0, letters);
  return character > '\x7f' ? lower : character;
}
