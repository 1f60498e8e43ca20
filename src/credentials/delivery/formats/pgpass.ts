import type { FieldReader, SecretField } from '../fields.ts';
import { linesOf, type TextLine } from './ini.ts';

/** `~/.pgpass`: host:port:database:user:password. Source: PostgreSQL documentation, "The Password File". */
export const pgpassFields: FieldReader = (text) => linesOf(text).flatMap(fieldOf);

function fieldOf({ line, offset }: TextLine): readonly SecretField[] {
  if (line.startsWith('#')) return [];
  const parts = /^((?:[^:\\]|\\.)*):((?:[^:\\]|\\.)*):(?:[^:\\]|\\.)*:((?:[^:\\]|\\.)*):(.+)$/u.exec(line);
  if (parts === null) return [];
  const [whole, host = '', port = '', user = '', password = ''] = parts;
  const start = offset + whole.length - password.length;
  const place = { ...(host === '*' ? {} : { host: plain(host).toLowerCase() }), ...(/^\d{1,5}$/u.test(port) ? { port: Number(port) } : {}), ...(user === '*' ? {} : { user: plain(user) }) };
  return [{ start, end: start + password.length, value: plain(password), encode: escaped, role: 'secret', ...place }];
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/gu, '$1');
}

function escaped(text: string): string {
  return text.replaceAll(/[:\\]/gu, '\\$&');
}
