/**
 * The pure part of the Seatbelt backend: a plan's profile for macOS, and the command line that starts a command under
 * it. It is generated, not run, because this project has no Mac. So it is not a `Backend`, and `holdfast plan` only
 * prints it.
 */
import { HoldfastError } from '../../errors/index.ts';

/** An expression of the profile language, as text. */
export type Sbpl = string;

export interface SbplRule {
  readonly decision: 'allow' | 'deny';
  readonly operations: readonly string[];
  /** At least one of them has to match. */
  readonly filters: readonly Sbpl[];
}

/** Most bytes of one string. The profile language comes from TinyScheme, whose reader had room for 255. */
const longestString = 200;
const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns one string literal, or several joined ones. Throws `HF_PATH_UNREPRESENTABLE` for a character that no path can
 * contain.
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

/** Matches everything that `filter` matches and none of the others match. */
export function except(filter: Sbpl, others: readonly Sbpl[]): Sbpl {
  return others.length === 0
    ? filter
    : list('require-all', filter, ...others.map((other) => list('require-not', other)));
}

/**
 * Returns a rule for the paths that its filters match. Without filters it returns no text, because a bare operation
 * would match everything.
 */
export function rule(
  decision: SbplRule['decision'],
  operations: readonly string[],
  filters: readonly Sbpl[],
): readonly SbplRule[] {
  return filters.length === 0 ? [] : [{ decision, operations, filters: [...new Set(filters)] }];
}

/** Denials carry the tag, so that the system's log names the command that was stopped. */
export function ruleText({ decision, operations, filters }: SbplRule, tag: string): string {
  const message = decision === 'deny' ? [list('with', 'message', sbplString(tag))] : [];
  return `${[`(${decision} ${operations.join(' ')}`, ...filters, ...message].join('\n  ')})\n`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // U+0080 to U+009F are two bytes in UTF-8, and have no special meaning.
  return escapes[character] ?? (code > 0x7f ? character : `\\x${code.toString(16).padStart(2, '0')}`);
}

/** Splits between characters, never inside one. */
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
