import { escape as escapeQuery, stringify } from 'node:querystring';

/** The spellings in which programs write a received text. They are independent of the tested code. */
export const spellings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['as it is', (text) => Buffer.from(text)],
  ['in JSON', (text) => Buffer.from(JSON.stringify({ echo: text }))],
  ['in JSON of PHP', (text) => Buffer.from(JSON.stringify({ echo: text }).replaceAll('/', '\\/'))],
  [
    'in JSON of Go',
    (text) =>
      Buffer.from(
        JSON.stringify({ echo: text }).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
      ),
  ],
  [
    'in JSON of Python',
    (text) =>
      Buffer.from(
        JSON.stringify({ echo: text }).replaceAll(/[^ -~]/gu, (sign) =>
          [...Array(sign.length).keys()]
            .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
            .join(''),
        ),
      ),
  ],
  [
    'in JSON of Gson',
    (text) =>
      Buffer.from(
        JSON.stringify({ echo: text })
          .replaceAll('<', '\\u003c')
          .replaceAll('>', '\\u003e')
          .replaceAll('&', '\\u0026')
          .replaceAll('=', '\\u003d')
          .replaceAll("'", '\\u0027'),
      ),
  ],
  [
    'in JSON of .NET',
    (text) =>
      Buffer.from(
        `{"echo":"${[...Array(text.length).keys()].map((at) => (text[at] === '\\' ? '\\\\' : /[^ -~]|["&'+<>`]/u.test(text.charAt(at)) ? `\\u${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}` : text.charAt(at))).join('')}"}`,
      ),
  ],
  ['by encodeURIComponent', (text) => Buffer.from(encodeURIComponent(text))],
  [
    'by encodeURIComponent in small letters',
    (text) => Buffer.from(encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/gu, (pair) => pair.toLowerCase())),
  ],
  ['by querystring', (text) => Buffer.from(escapeQuery(text))],
  ['in a query', (text) => Buffer.from(stringify({ a: 'b', echo: text }))],
  ['in a form', (text) => Buffer.from(String(new URLSearchParams({ a: 'b', echo: text })))],
  ['with every byte in percent', (text) => Buffer.from(Buffer.from(text).toString('hex').replaceAll(/../gu, '%$&'))],
  [
    'with every byte in percent of capitals',
    (text) => Buffer.from(Buffer.from(text).toString('hex').toUpperCase().replaceAll(/../gu, '%$&')),
  ],
  ['in base64', (text) => Buffer.from(Buffer.from(text).toString('base64'))],
  ['as Basic with a user', (text) => Buffer.from(`Basic ${Buffer.from(`u:${text}`).toString('base64')}`)],
  ['as Basic with a longer user', (text) => Buffer.from(`Basic ${Buffer.from(`us:${text}`).toString('base64')}`)],
  [
    'in base64 with more behind it',
    (text) => Buffer.from(Buffer.from(`{"echo":"${text}","more":true}`).toString('base64')),
  ],
  ['in base64url', (text) => Buffer.from(Buffer.from(text).toString('base64url'))],
  ['in hexadecimal', (text) => Buffer.from(Buffer.from(text).toString('hex'))],
  ['in hexadecimal of capitals', (text) => Buffer.from(Buffer.from(text).toString('hex').toUpperCase())],
  ['in HTML', (text) => Buffer.from(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))],
  [
    'in HTML with quotes',
    (text) =>
      Buffer.from(
        text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#39;'),
      ),
  ],
  [
    'in HTML of Go',
    (text) =>
      Buffer.from(
        text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&#34;')
          .replaceAll("'", '&#39;'),
      ),
  ],
  [
    'in HTML of Python',
    (text) =>
      Buffer.from(
        text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#x27;'),
      ),
  ],
];

const basic = (text: string): string => `Basic ${Buffer.from(`u:${text}`).toString('base64')}`;
const escapedIn = (text: string, names: Readonly<Record<string, string>>): Buffer =>
  Buffer.from([...text].map((character) => names[character] ?? character).join(''));

/** The spellings in which servers return a request: one encoding inside another, and templates that escape more. */
export const reflectedSpellings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['as Basic in JSON of PHP', (text) => escapedIn(basic(text), { '/': '\\/' })],
  ['as Basic in JSON of .NET', (text) => escapedIn(basic(text), { '+': '\\u002B' })],
  ['as Basic in a query', (text) => Buffer.from(encodeURIComponent(basic(text)))],
  ['as Basic by Mustache', (text) => escapedIn(basic(text), { '/': '&#x2F;', '=': '&#x3D;' })],
  ['in JSON inside JSON', (text) => Buffer.from(JSON.stringify({ error: JSON.stringify({ echo: text }) }))],
  ['in a query inside a query', (text) => Buffer.from(encodeURIComponent(`/?echo=${encodeURIComponent(text)}`))],
  ['in UTF-16', (text) => Buffer.from(text, 'utf16le')],
  ['in UTF-16 of the other order', (text) => Buffer.from(text, 'utf16le').swap16()],
  [
    'in HTML of PHP',
    (text) => escapedIn(text, { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' }),
  ],
  [
    'in HTML of Mustache',
    (text) =>
      escapedIn(text, {
        '&': '&amp;',
        '<': '&lt;',
        '>': '&gt;',
        '"': '&quot;',
        "'": '&#39;',
        '/': '&#x2F;',
        '=': '&#x3D;',
      }),
  ],
];

/** Characters of secrets. */
export const exampleSecrets = [
  'EXAMPLE-secret-0189',
  'p@ss/w+rd!=EXAMPLE',
  'EXAMPLE "quoted" \\ <b>&\'s',
  'ÉXAMPLE-sécrét',
  'EXAMPLE-秘密-🔑-秘密',
  'sk-ant-api03-EXAMPLEexample_-EXAMPLE',
  '01234567',
] as const;

/**
 * The part of a text between its common beginning and its common end with two others: it depends on the middle alone.
 */
export function unlike(a: Buffer, b: Buffer): Buffer {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return a.subarray(start, a.length - end);
}
