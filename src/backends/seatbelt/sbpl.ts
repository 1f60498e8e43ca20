import { HoldfastError } from '../../errors/index.ts';

/** An expression of the profile language, as text. */
export type Sbpl = string;

export interface SbplRule {
  readonly decision: 'allow' | 'deny';
  readonly operations: readonly string[];
  /** One of them has to match. */
  readonly filters: readonly Sbpl[];
}

/** Bytes of one string. The profile language comes from TinyScheme, whose reader had room for 255. */
const longestString = 200;
const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns a string literal, or several that are joined. Throws `HF_PATH_UNREPRESENTABLE` for a character that no path
 * can hold.
 */
export function sbplString(text: string): Sbpl {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `${JSON.stringify(text)} cannot be written in a profile`, {
      remedy: 'rename it, or leave it out of the policy',
    });
  }
  const pieces = piecesOf(text).map((piece) => `"${piece.replaceAll(/["\\\p{Cc}]/gu, escaped)}"`);
  return pieces.length === 1 ? `${pieces[0] ?? '""'}` : list('string-append', ...pieces);
}

export function list(...words: readonly Sbpl[]): Sbpl {
  return `(${words.join(' ')})`;
}

export const sbplLiteral = (path: string): Sbpl => list('literal', sbplString(path));
export const subpath = (path: string): Sbpl => list('subpath', sbplString(path));
export const regex = (pattern: string): Sbpl => list('regex', sbplString(pattern));

/** Matches what `filter` matches and none of the others does. */
export function except(filter: Sbpl, others: readonly Sbpl[]): Sbpl {
  return others.length === 0
    ? filter
    : list('require-all', filter, ...others.map((other) => list('require-not', other)));
}

/**
 * Returns a rule for the paths that its filters match. Returns no text without filters: a bare operation would match
 * everything.
 */
export function rule(
  decision: SbplRule['decision'],
  operations: readonly string[],
  filters: readonly Sbpl[],
): readonly SbplRule[] {
  return filters.length === 0 ? [] : [{ decision, operations, filters: [...new Set(filters)] }];
}

/** Denials carry the tag, so that the system's log names the stopped command. */
export function ruleText({ decision, operations, filters }: SbplRule, tag: string): string {
  const message = decision === 'deny' ? [list('with', 'message', sbplString(tag))] : [];
  return `${[`(${decision} ${operations.join(' ')}`, ...filters, ...message].join('\n  ')})\n`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // U+0080 to U+009F are two bytes in UTF-8, and readers give them no meaning.
  return escapes[character] ?? (code > 0x7f ? character : `\\x${code.toString(16).padStart(2, '0')}`);
}

/** Never splits a character. */
function piecesOf(text: string): readonly string[] {
  const pieces = [''];
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > longestString) {
      pieces.push('');
      bytes = 0;
    }
    pieces[pieces.length - 1] += character;
    bytes += size;
  }
  return pieces;
}
