/** A token of SQL, as detailed as the allow-list needs. */
export type Token =
  /** Folded to lower case as the server does it: ASCII only. */
  | { readonly kind: 'word'; readonly value: string }
  /** A quoted identifier. Its value is the name without quotes. */
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'string'; readonly value: string }
  /** A number or a parameter. */
  | { readonly kind: 'number' }
  /** One character. */
  | { readonly kind: 'sign'; readonly value: string };

export type Lexed =
  | { readonly kind: 'tokens'; readonly tokens: readonly Token[] }
  | { readonly kind: 'unclear'; readonly reason: string };

interface Cut {
  readonly end: number;
  readonly token?: Token;
}

type Rule = (sql: string, at: number) => Cut | Unclear | undefined;

/** Text that servers may read in two ways, or not at all. */
class Unclear {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Splits SQL into tokens as PostgreSQL does, for every version, client encoding and value of
 * `standard_conforming_strings`. If these make a difference, or a token does not end, the result is `unclear`.
 *
 * `sql` has one character for each octet (latin1). In all encodings, octets from 0x80 on belong to a name or a string.
 * In no encoding is an ASCII quote the second octet of a character. Source: src/backend/parser/scan.l of PostgreSQL 10
 * to 18.
 */
export function lex(sql: string): Lexed {
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const cut = cutAt(sql, at);
    if (cut instanceof Unclear) return { kind: 'unclear', reason: cut.reason };
    if (cut.token !== undefined) tokens.push(cut.token);
    at = cut.end;
  }
  return { kind: 'tokens', tokens };
}

function cutAt(sql: string, at: number): Cut | Unclear {
  for (const rule of rulesByFirst[sql.charCodeAt(at)] ?? []) {
    const cut = rule(sql, at);
    if (cut !== undefined) return cut;
  }
  return { end: at + 1, token: { kind: 'sign', value: sql[at] ?? '' } };
}

// oxlint-disable no-control-regex -- SQL is bytes here
/** As in PostgreSQL 16 and later. Earlier versions reject a vertical tab, which does no harm. */
const blank = /[ \t\n\r\f\v]+/y;
/** A carriage return ends a comment too, so the text after it is not part of the comment. */
const lineComment = /--[^\n\r]*/y;
const commentPart = /\/\*|\*\//g;
const word = /[A-Za-z_\u0080-\u00ff][A-Za-z0-9_$\u0080-\u00ff]*/y;
const digits = /\d+/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\u00ff][A-Za-z0-9_\u0080-\u00ff]*)?\$/y;
const parameter = /\$\d+/y;
/** Prefixes for bits, hex and national characters. They do not change the end of the string. */
const prefix = /[bBxXnN](?=')/y;
const unicode = /[uU]&['"]/y;
/**
 * An odd number of backslashes before a quote. The quote ends the string or not, depending on
 * `standard_conforming_strings`.
 */
const doubtfulEscape = /(?<!\\)(?:\\\\)*\\'/;
/**
 * A backslash that may be the second octet of a character (GBK, Big5, Shift-JIS), and is an escape in all other
 * encodings.
 */
const doubtfulOctet = /[\u0080-\u00ff]\\/;

/** In the order in which they are tried, each with the characters that can begin its tokens. */
const rules: readonly { readonly begins: RegExp; readonly rule: Rule }[] = [
  { begins: /[ \t\n\r\f\v]/, rule: (sql, at) => skip(match(blank, sql, at), at) },
  { begins: /-/, rule: (sql, at) => skip(match(lineComment, sql, at), at) },
  { begins: /\//, rule: blockComment },
  {
    begins: /[uU]/,
    rule: (sql, at) =>
      match(unicode, sql, at) === undefined
        ? undefined
        : new Unclear('it has an identifier or a string with Unicode escapes (U&)'),
  },
  { begins: /\0/, rule: () => new Unclear('it holds a NUL') },
  { begins: /[bBxXnN]/, rule: (sql, at) => skip(match(prefix, sql, at), at) },
  { begins: /[eE]/, rule: escaped },
  { begins: /'/, rule: plain },
  { begins: /"/, rule: quoted },
  { begins: /\$/, rule: dollarQuoted },
  { begins: /[$\d]/, rule: (sql, at) => numberAt(match(parameter, sql, at) ?? match(digits, sql, at), at) },
  { begins: /[A-Za-z_\u0080-\u00ff]/, rule: (sql, at) => wordAt(match(word, sql, at), at) },
];
// oxlint-enable no-control-regex

/** Rules by first octet, so that not every rule is tried at each token. */
const rulesByFirst: readonly (readonly Rule[])[] = Array.from({ length: 256 }, (_, octet) =>
  rules.filter(({ begins }) => begins.test(String.fromCharCode(octet))).map(({ rule }) => rule),
);

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

function skip(text: string | undefined, at: number): Cut | undefined {
  return text === undefined ? undefined : { end: at + text.length };
}

function numberAt(text: string | undefined, at: number): Cut | undefined {
  return text === undefined ? undefined : { end: at + text.length, token: { kind: 'number' } };
}

function wordAt(text: string | undefined, at: number): Cut | undefined {
  return text === undefined ? undefined : { end: at + text.length, token: { kind: 'word', value: lower(text) } };
}

/** Finds the end of a block comment. Comments nest. */
function blockComment(sql: string, at: number): Cut | Unclear | undefined {
  if (!sql.startsWith('/*', at)) return undefined;
  let depth = 0;
  commentPart.lastIndex = at;
  for (let part = commentPart.exec(sql); part !== null; part = commentPart.exec(sql)) {
    depth += part[0] === '/*' ? 1 : -1;
    if (depth === 0) return { end: commentPart.lastIndex };
  }
  return new Unclear('a comment does not end');
}

function escaped(sql: string, at: number): Cut | Unclear | undefined {
  if ((sql[at] !== 'E' && sql[at] !== 'e') || sql[at + 1] !== "'") return undefined;
  const end = endOfEscaped(sql, at + 2);
  if (end === undefined) return new Unclear('a string does not end');
  const value = sql.slice(at + 2, end - 1);
  return doubtfulOctet.test(value)
    ? new Unclear('a string has a backslash after an octet that is not ASCII')
    : { end, token: { kind: 'string', value } };
}

function plain(sql: string, at: number): Cut | Unclear {
  const end = endOfQuoted(sql, at);
  if (end === undefined) return new Unclear('a string does not end');
  const text = sql.slice(at, end);
  return doubtfulEscape.test(text)
    ? new Unclear('a string has a backslash before a quote')
    : { end, token: { kind: 'string', value: text.slice(1, -1).replaceAll("''", "'") } };
}

function quoted(sql: string, at: number): Cut | Unclear {
  const end = endOfQuoted(sql, at);
  return end === undefined
    ? new Unclear('a quoted name does not end')
    : { end, token: { kind: 'name', value: sql.slice(at + 1, end - 1).replaceAll('""', '"') } };
}

/** Returns the offset after the quote that closes the one at `at`. A doubled quote is an escaped one. */
function endOfQuoted(sql: string, at: number): number | undefined {
  const quote = sql[at] ?? '';
  for (let end = sql.indexOf(quote, at + 1); end >= 0; end = sql.indexOf(quote, end + 2)) {
    if (sql[end + 1] !== quote) return end + 1;
  }
  return undefined;
}

function endOfEscaped(sql: string, start: number): number | undefined {
  for (let at = start; at < sql.length; at += 1) {
    const isPair = sql[at] === '\\' || (sql[at] === "'" && sql[at + 1] === "'");
    if (isPair) at += 1;
    else if (sql[at] === "'") return at + 1;
  }
  return undefined;
}

function dollarQuoted(sql: string, at: number): Cut | Unclear | undefined {
  const tag = match(dollarTag, sql, at);
  if (tag === undefined) return undefined;
  const end = sql.indexOf(tag, at + tag.length);
  if (end < 0) return new Unclear('a dollar-quoted string does not end');
  return { end: end + tag.length, token: { kind: 'string', value: sql.slice(at + tag.length, end) } };
}

function lower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
