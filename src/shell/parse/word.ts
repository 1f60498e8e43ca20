import type { Word as Parsed, WordPart } from 'unbash';
import type { DynamicWord, TimeSpan, Word } from '../types.ts';
import { spanIn, type SourceText } from './coverage.ts';

/** Placeholder in a shape for a quoted character, which has no special meaning. */
const quoted = '\u{1}';

/** An unquoted character that ends a word. If a word contains one, the parser read it differently than the shell. */
const foreign = /[\s;&|()<>]/u;

/**
 * Reads one word as the program gets it, as far as the text shows. Quotes and escapes are removed, and expansions are
 * marked as dynamic.
 */
export function readWord(word: Parsed, source: SourceText): Word {
  const span = spanIn(source, word);
  const pieces = readPieces(word);
  if (pieces.because === 'brace') return braced(word.text, span);
  if (pieces.because !== undefined) return { kind: 'dynamic', text: word.text, because: pieces.because, span };
  const { value, shape } = pieces;
  const because = unsettled(shape);
  if (because === 'brace') return braced(word.text, span);
  if (because !== undefined) return { kind: 'dynamic', text: word.text, because, span };
  const pattern = patternStart(shape);
  if (pattern >= 0) return { kind: 'glob', text: word.text, prefix: value.slice(0, pattern), span };
  if (shape.startsWith('~')) return homeWord(word, value, span);
  return { kind: 'static', value, span };
}

/** Plain alternatives behind a plain beginning. None of them can make a `..` or end in a dot, so that all are below it. */
const plainBraces =
  /^(?<prefix>[\w/@][\w./@:^~+-]*)(?:\{(?:[\w.@+-]*[\w@+-])?(?:,(?:[\w.@+-]*[\w@+-])?)+\}[\w./@:^~+-]*)+$/u;

/** `src/{a,b}/c` is several words that begin alike, as a pattern is. */
function braced(text: string, span: TimeSpan): Word {
  const plain = text.replace(/\{\w{1,9}\.\.\w{1,9}\}/gu, '{0,1}');
  const prefix = plainBraces.exec(plain)?.groups?.['prefix'];
  return prefix === undefined || plain.includes('..') || plain.includes('.{')
    ? { kind: 'dynamic', text, because: 'brace', span }
    : { kind: 'glob', text, prefix, span };
}

/** Quotes before the first slash, even empty ones, keep the shell from expanding `~`. */
function homeWord(word: Parsed, value: string, span: TimeSpan): Word {
  if (word.text !== '~' && !word.text.startsWith('~/'))
    return { kind: 'dynamic', text: word.text, because: 'tilde', span };
  return { kind: 'static', value: value.slice(1), lead: 'home', span };
}

/** Reads the value of an assignment. It is neither split nor a pattern, and `~` expands after colons. */
export function readAssigned(word: Parsed, source: SourceText): Word {
  const span = spanIn(source, word);
  const { value, shape, because } = readPieces(word);
  const reason =
    because ??
    (quotedPattern(word) || foreign.test(shape) ? 'unreadable' : /:~|^~[^/]/u.test(shape) ? 'tilde' : undefined);
  if (reason !== undefined) return { kind: 'dynamic', text: word.text, because: reason, span };
  if (shape.startsWith('~')) return homeWord(word, value, span);
  return { kind: 'static', value, span };
}

/** Patterns are kept as written. If one contains quotes, its text is not its value. */
function quotedPattern(word: Parsed): boolean {
  return (
    word.parts?.some((part) => (part.type === 'Glob' || part.type === 'ExtendedGlob') && /['"\\$]/u.test(part.text)) ??
    false
  );
}

/** Returns why a word without expansions is still unknown. */
function unsettled(shape: string): DynamicWord['because'] | undefined {
  if (foreign.test(shape)) return 'unreadable';
  if (hasBraces(shape)) return 'brace';
  // In a word that may look like an assignment, bash expands `~` after `=` and after every colon.
  if (/^~[^/]/u.test(shape) || (/^[A-Za-z_]/u.test(shape) && shape.includes('=') && /[=:]~/u.test(shape)))
    return 'tilde';
  return undefined;
}

/** Whether braces may expand. Bash is stricter, but the cases that it does not expand are too rare to distinguish. */
function hasBraces(shape: string): boolean {
  const open = shape.indexOf('{');
  const close = open < 0 ? -1 : shape.lastIndexOf('}');
  if (close < open + 2) return false;
  // `HEAD@{1}..HEAD@{0}` has two braces without alternatives.
  if (/^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/u.test(shape)) return /\{[^{}]*(?:,|\.\.)[^{}]*\}/u.test(shape);
  const within = shape.slice(open, close);
  return within.includes(',') || within.includes('..');
}

/** Start of the first pattern; negative for a word without patterns. */
function patternStart(shape: string): number {
  const bracket = shape.indexOf('[');
  const wild = shape.search(/[*?]/u);
  if (bracket < 0 || shape.lastIndexOf(']') < bracket) return wild;
  return wild < 0 ? bracket : Math.min(wild, bracket);
}

interface Pieces {
  /** The word as the program gets it. */
  readonly value: string;
  /** Same length as `value`: unquoted characters as they are, and `quoted` for each other character. */
  readonly shape: string;
  readonly because: DynamicWord['because'] | undefined;
}

function readPieces(word: Parsed): Pieces {
  const { parts } = word;
  if (parts === undefined) return readBare(word.text);
  let value = '';
  let shape = '';
  for (const part of parts) {
    const piece = readPart(part);
    if (piece.because !== undefined) return piece;
    value += piece.value;
    shape += piece.shape;
  }
  return { value, shape, because: undefined };
}

const unknown = (because: DynamicWord['because']): Pieces => ({ value: '', shape: '', because });
const verbatim = (value: string): Pieces => ({ value, shape: quoted.repeat(value.length), because: undefined });

function readPart(part: WordPart): Pieces {
  switch (part.type) {
    case 'Literal':
      return readBare(part.text);
    case 'SingleQuoted':
      return verbatim(part.value);
    case 'AnsiCQuoted':
      return readAnsi(part.text, part.value);
    case 'DoubleQuoted':
      return readDouble(part.parts);
    case 'Glob':
    case 'ExtendedGlob':
      return { value: part.text, shape: '*'.repeat(part.text.length), because: expansionWithin(part.parts) };
    case 'BraceExpansion':
      return unknown(expansionWithin(part.parts) ?? 'brace');
    // A translation may have any content.
    case 'LocaleString':
      return unknown(expansionWithin(part.parts) ?? 'unreadable');
    default:
      return unknown(expansionWithin([part]) ?? 'unreadable');
  }
}

function readBare(text: string): Pieces {
  if (!text.includes('\\')) return { value: text, shape: text, because: undefined };
  let value = '';
  let shape = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char !== '\\') {
      value += char;
      shape += char;
      continue;
    }
    at += 1;
    const escaped = text.charAt(at);
    if (escaped === '\n') continue;
    value += escaped === '' ? '\\' : escaped;
    shape += quoted;
  }
  return { value, shape, because: undefined };
}

function readDouble(parts: readonly WordPart[]): Pieces {
  let value = '';
  for (const part of parts) {
    if (part.type !== 'Literal') return unknown(expansionWithin([part]) ?? 'unreadable');
    value += part.value;
  }
  return verbatim(value);
}

/** Escapes with the same meaning in every locale. Bytes over 127 are excluded. */
const sureAnsi = /\\(?:[abeEfnrtv\\'"?]|[01]?[0-7]{1,2}(?![0-7])|x[0-7]?[0-9A-Fa-f](?![0-9A-Fa-f]))/gu;

/** Control characters end words early, or are bash's own markers. */
function readAnsi(text: string, value: string): Pieces {
  return text.replace(sureAnsi, '').includes('\\') || /[^\P{Cc}\t\n]/u.test(value)
    ? unknown('unreadable')
    : verbatim(value);
}

function expansionWithin(parts: readonly WordPart[] | undefined): DynamicWord['because'] | undefined {
  const waiting = [...(parts ?? [])];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    switch (part.type) {
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        return 'expansion';
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        return 'substitution';
      case 'ArithmeticExpansion':
        return 'arithmetic';
      default:
        if ('parts' in part && part.parts !== undefined) waiting.push(...part.parts);
    }
  }
  return undefined;
}

/**
 * Bash reads `$((…))` as a subshell in a substitution if its parentheses and quotes do not match, including those in
 * comments and here-documents.
 */
export function isBalanced(expression: string): boolean {
  let open = 0;
  let quote = '';
  for (let at = 0; at < expression.length; at++) {
    const char = expression.charAt(at);
    // In single quotes, a backslash does not escape the closing quote.
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    else if (char === "'" || char === '"') quote = char;
    if (open < 0) return false;
  }
  return open === 0 && quote === '';
}
