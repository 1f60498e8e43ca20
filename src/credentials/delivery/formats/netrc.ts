import { asIs, type SecretReader, type SecretField } from '../fields.ts';

/**
 * `~/.netrc`. Source: the "netrc" page of the GNU inetutils manual. Quoted words are read as curl reads them, and so are
 * keywords in capitals.
 */
export const netrcFields: SecretReader = (text) => {
  const fields: SecretField[] = [];
  let machine: { readonly host?: string } = {};
  let user: string | undefined;
  const words = wordsOf(text);
  for (let index = 0; index < words.length; index += 1) {
    const next = words[index + 1];
    const keyword = words[index]?.value.toLowerCase();
    switch (keyword) {
      case 'machine':
        machine = next === undefined ? {} : { host: next.value.toLowerCase() };
        user = undefined;
        index += 1;
        break;
      case 'default':
        machine = {};
        user = undefined;
        break;
      case 'login':
        user = next?.value;
        index += 1;
        break;
      case 'account':
      case 'passwd':
      case 'password':
        if (next !== undefined)
          fields.push({
            start: next.start,
            end: next.end,
            value: next.value,
            encode: quoted,
            role: keyword === 'account' ? 'key' : 'secret',
            ...machine,
            ...(user === undefined ? {} : { user }),
          });
        index += 1;
        break;
    }
  }
  return fields;
};

interface Word {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Leaves out macros and comments, which hold no entries. A password may begin like a comment. */
function wordsOf(text: string): readonly Word[] {
  const plain = text.replaceAll(/^[ \t]*macdef[^\n]*\n(?:[^\n]+\n?)*/gmu, blank).replaceAll(/^[ \t]*#[^\n]*/gmu, blank);
  return [...plain.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/gsu)].map((match) => {
    const value = match[1] === undefined ? match[0] : match[1].replaceAll(/\\(.)/gu, '$1');
    return { value, start: match.index, end: match.index + match[0].length };
  });
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/gu, ' ');
}

function quoted(value: string): string {
  return /^[\w.~+/=:@%!$&*-]+$/u.test(value) ? asIs(value) : `"${value.replaceAll(/["\\]/gu, '\\$&')}"`;
}
