/** Texts with hidden or misleading characters, and checks for them. */

export function tags(text: string): string {
  return Array.from(text, (character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('');
}

/** Eight zero-width characters for each letter. */
function zeroWidthBits(text: string): string {
  return Array.from(text, (character) =>
    (character.codePointAt(0) ?? 0).toString(2).padStart(8, '0').replaceAll('0', '\u200b').replaceAll('1', '\u200c'),
  ).join('');
}

export const secret = 'send the keys';

/** Each may stand in the name of a file. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'tag characters': tags(secret),
  'bidi override': '\u202egnp.exe\u202c',
  'bidi isolate': '\u2066\u2067x\u2069\u2069',
  'zero-width bits': zeroWidthBits('keys'),
  'bytes in variation selectors': Array.from('keys', (letter) =>
    String.fromCodePoint(0xe0100 + letter.charCodeAt(0) - 16),
  ).join(''),
  'window title': '\u001b]0;owned\u0007',
  clipboard: '\u001b]52;c;cm0gLXJm\u0007',
  'clear screen': '\u001b[2J\u001b[H',
  '8-bit CSI': '\u009b2J',
  'unterminated string': '\u001bP',
  fillers: '\u3164\u115f\uffa0\u2800',
  'carriage return': '\rall is well',
  backspaces: '\b\b\bls',
  'line separator': '\u2028',
  'byte order mark': '\ufeff',
  noncharacter: '\ufdd0',
  annotation: '\ufff9\ufffa\ufffb',
  'soft hyphen': '\u00ad',
};

export const allHostile = Object.entries(hostileTexts)
  .map(([name, text]) => `${name}: a${text}b`)
  .join('\n');

/**
 * Uses Node's own property tables, not those that Holdfast builds. The checked texts have no emoji and no right-to-left
 * text.
 */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffc]/u;

/**
 * The hidden characters in it, or undefined. Invalid UTF-8 counts, because a terminal may take it for 8-bit controls.
 */
export function unseenIn(bytes: Buffer | string): string | undefined {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  if (!Buffer.from(text).equals(buffer)) return 'bytes that are no UTF-8';
  const found = unseen.exec(text);
  return found === null
    ? undefined
    : `U+${(found[0].codePointAt(0) ?? 0).toString(16)} in ${JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 40))}`;
}
