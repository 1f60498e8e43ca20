import type { FieldReader, SecretField } from '../fields.ts';
import { urlPasswords } from './url-password.ts';

/** `NAME=value` entries whose names say that they hold a secret, and the passwords of URLs in all others. Source: the READMEs of dotenv for Node and of python-dotenv. */
export const dotenvFields: FieldReader = (text) => [...text.matchAll(entry)].flatMap(fieldsOf);

/** Quoted values may have several lines; what is not quoted ends with its line, or before a comment. */
const entry = /^([ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`)(?=[ \t]*(?:#|\r?$))|[^\r\n]*)/gmsu;
const secretName = /(?:^|_)(?:PASSWORD|PASSWD|PWD|PASS|PASSPHRASE|SECRET|TOKEN|PAT|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?|KEY)(?:_[A-Z0-9]+)?$/iu;

function fieldsOf({ index, 1: lead = '', 2: name = '', 3: rest = '' }: RegExpExecArray): readonly SecretField[] {
  const start = index + lead.length;
  const quote = /^(["'`]).*\1$/su.exec(rest)?.[1] ?? '';
  const written = quote === '' ? rest.replace(/[ \t]+#.*$/u, '').trimEnd() : rest;
  if (!secretName.test(name)) return urlPasswords(written, start);
  if (written === '') return [];
  const value = quote === '' ? written : written.slice(1, -1);
  return [{ start, end: start + written.length, value: quote === '"' ? value.replaceAll(/\\(.)/gsu, '$1') : value, encode: (other) => quotedAs(quote, other), role: 'secret' }];
}

/** As it was quoted, where that can hold it. */
function quotedAs(quote: string, value: string): string {
  if (quote === "'" && !value.includes("'")) return `'${value}'`;
  if (quote === '' && /^[\w.~+/=:@%-]+$/u.test(value)) return value;
  return `"${value.replaceAll(/["\\]/gu, '\\$&')}"`;
}
