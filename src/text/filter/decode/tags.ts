/** Tag characters stand for ASCII; what is not printable there frames the text (U+E0001, U+E007F). */
export function decodeTags(run: string): string {
  return [...run]
    .map((char) => char.codePointAt(0)! - 0xe0000)
    .filter((ascii) => ascii >= 0x20 && ascii < 0x7f)
    .map((ascii) => String.fromCharCode(ascii))
    .join('');
}
