const longest = 300;

/**
 * A text for one line of a terminal or a journal. File and host names are chosen by whoever attacks: line breaks would
 * forge a second message, escapes would repaint the first, and direction marks would swap its words.
 */
export function printable(text: string): string {
  const safe = /^[\x20-\x7e]*$/.test(text) ? text : text.replaceAll(unsafe, escapeCharacter);
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
}

const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
