import type { SecretField } from '../fields.ts';

const pattern = /\b([a-z][a-z0-9+.-]{0,20}):\/\/(?:([^\s:/?#@]*):([^\s/?#@]*)|([^\s:/?#@]+))@(\[[0-9a-f:.]+\]|[^\s:/?#@]+)(?::(\d{1,5}))?/giu;

/** The passwords of all URLs in a text; of a URL with a user alone, the user, which is where tokens stand. `offset` is that of the text in its file. */
export function urlPasswords(text: string, offset = 0): readonly SecretField[] {
  return [...text.matchAll(pattern)].map((match): SecretField => {
    const [, scheme = '', user = '', password, token, host = '', port] = match;
    const written = password ?? token ?? '';
    const start = offset + match.index + scheme.length + '://'.length + (password === undefined ? 0 : user.length + 1);
    const number = port === undefined ? {} : { port: Number(port) };
    return { start, end: start + written.length, value: decoded(written), encode: encodeURIComponent, host: host.toLowerCase(), role: 'secret', ...number, ...(password === undefined ? {} : { user: decoded(user) }) };
  });
}

/** A percent sign that begins no escape stands for itself, as clients have it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
