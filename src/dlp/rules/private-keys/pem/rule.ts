import { formEnd } from '../../lib/boundaries.ts';
import { isAlphanumeric } from '../../lib/characters.ts';
import { isPlaceholder } from '../../lib/placeholders.ts';
import type { SecretRule, MatchSpan } from '../../types.ts';

const opening = '-----';
const label = /BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/uy;
const closing = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/uy;
/** `Proc-Type`, `DEK-Info`, `Version`, `Comment`: RFC 1421 §4.6, RFC 9580 §6.2.2. */
const header = /(?:[\s>|"'+,]|\\[nr]){0,16}[A-Z][A-Za-z-]{2,20}: [^\n\\]{0,200}/uy;
const mostHeaders = 6;
/** The first line of a key, as opposed to text about keys. */
const firstLine = /(?:[\s"'`,;>|#*.()+-]|\\[nr]){0,64}[0-9A-Za-z+/]{32}/uy;

/**
 * Characters that may occur between the lines of a key, besides base64. These are line ends, raw and in strings, and
 * the prefixes of lines in a diff, a quotation or a comment.
 */
const betweenLines = new Set('\n\r\t "\'`\\,;>|#*=.()');
/** An RSA key of 16,384 bits has 12,500 characters, and a PGP key with many parts has more. */
const longest = 131_072;
/** The shortest key in use, Ed25519 in PKCS #8, has 64 characters. */
const fewestCharacters = 40;

/**
 * A key with its enclosing lines, in plain text or inside a string. If the last line is missing, as in output that a
 * tool truncated, the match is everything that exists. Five dashes end a key and begin the next one, so no character is
 * read for two keys.
 */
export const pem: SecretRule = {
  name: 'private-key',
  leads: [[...'BEGIN ', 'PRSEODAB']],
  match(text, at) {
    if (!text.startsWith(opening, at - opening.length)) return undefined;
    const behindLabel = formEnd(label, text, at);
    if (behindLabel === undefined) return undefined;
    const body = bodyFrom(text, behindHeaders(text, behindLabel));
    return body === undefined
      ? undefined
      : { start: at - opening.length, end: formEnd(closing, text, body.end) ?? body.end };
  },
  sources: [
    'https://www.rfc-editor.org/rfc/rfc7468',
    'https://www.rfc-editor.org/rfc/rfc1421',
    'https://www.rfc-editor.org/rfc/rfc9580#section-6.2',
  ],
};

function behindHeaders(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < mostHeaders; count += 1) {
    const end = formEnd(header, text, at);
    if (end === undefined) return at;
    at = end;
  }
  return at;
}

function bodyFrom(text: string, start: number): MatchSpan | undefined {
  let at = formEnd(firstLine, text, start) ?? start;
  if (at === start) return undefined;
  const last = Math.min(text.length, start + longest);
  while (at < last && isOfBody(text, at)) at += 1;
  // The `n` and `r` of escapes are counted too. A key has so many more characters that it does not matter.
  const written = text.slice(start, at).replaceAll(/[^0-9A-Za-z+/]/gu, '');
  return written.length < fewestCharacters || isPlaceholder(written.slice(0, 4096)) ? undefined : { start, end: at };
}

function isOfBody(text: string, at: number): boolean {
  if (isAlphanumeric(text.charCodeAt(at))) return true;
  const character = text[at] ?? '';
  if (character === '-') return text[at - 1] === '\n' && text[at + 1] !== '-';
  return character === '+' || character === '/' || betweenLines.has(character);
}
