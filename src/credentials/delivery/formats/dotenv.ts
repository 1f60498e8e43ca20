import type { SecretReader, SecretField } from '../fields.ts';

/**
 * `NAME=value` entries with the name of a secret, and the passwords of URLs in all other entries. Source: the READMEs
 * of dotenv for Node and of python-dotenv.
 */
export const dotenvFields: SecretReader = (text) => [...text.matchAll(entry)].flatMap(fieldsOf);

/** A quoted value may span several lines. An unquoted value ends at the end of its line or at a comment. */
const entry =
  /^([ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`)(?=[ \t]*(?:#|\r?$))|[^\r\n]*)/gmsu;
const secretName =
  /(?:(?:^|_)(?:PWD|PASS|PAT|JWT|COOKIE|KEY)|PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|(?:API|ACCESS|PRIVATE)_?KEY|CREDENTIALS?)(?:_[A-Z0-9]+)?$/iu;

function fieldsOf({ index, 1: lead = '', 2: name = '', 3: rest = '' }: RegExpExecArray): readonly SecretField[] {
  const start = index + lead.length;
  const quote = /^(["'`]).*\1$/su.exec(rest)?.[1] ?? '';
  const written = quote === '' ? rest.replace(/(?<![ \t])[ \t]+#.*$/u, '').trimEnd() : rest;
  if (!secretName.test(name)) return urlPasswords(written, start);
  if (written === '') return [];
  const value = quote === '' ? written : written.slice(1, -1);
  return [
    {
      start,
      end: start + written.length,
      value: quote === '"' ? value.replaceAll(/\\(.)/gsu, '$1') : value,
      encode: (other) => quotedAs(quote, other),
      role: 'secret',
    },
  ];
}

/** Keeps the quotes of the value if they can enclose the new value. */
function quotedAs(quote: string, value: string): string {
  if (quote === "'" && !value.includes("'")) return `'${value}'`;
  if (quote === '' && /^[\w.~+/=:@%-]+$/u.test(value)) return value;
  return `"${value.replaceAll(/["\\]/gu, '\\$&')}"`;
}

const pattern =
  /\b([a-z][a-z0-9+.-]{0,20}):\/\/(?:([^\s:/?#@]*):([^\s/?#@]*)|([^\s:/?#@]+))@(\[[0-9a-f:.]+\]|[^\s:/?#@]+)(?::(\d{1,5}))?/giu;

/**
 * Returns the passwords of all URLs in a text. In a URL with only a user, the user counts, because tokens are written
 * there. `offset` is the position of the text in its file.
 */
export function urlPasswords(text: string, offset = 0): readonly SecretField[] {
  return [...text.matchAll(pattern)].map((match): SecretField => {
    const [, scheme = '', user = '', password, token, host = '', port] = match;
    const written = password ?? token ?? '';
    const start = offset + match.index + scheme.length + '://'.length + (password === undefined ? 0 : user.length + 1);
    const number = port === undefined ? {} : { port: Number(port) };
    return {
      start,
      end: start + written.length,
      value: decoded(written),
      encode: encodeURIComponent,
      host: host.toLowerCase(),
      role: 'secret',
      ...number,
      ...(password === undefined ? {} : { user: decoded(user) }),
    };
  });
}

/** A percent sign that begins no escape is literal, as in clients. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
