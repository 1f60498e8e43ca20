/**
 * Returns the ways in which a text may be spelled in traffic. These are plain (UTF-8, UTF-16, and Latin-1 if possible),
 * base64 and base64url at any alignment, hexadecimal, percent-encoded, and escaped for JSON and HTML. Of base64 it
 * returns only the characters that depend on this text alone. Base64 is escaped too: a server that shows `Basic` may
 * write its `/` as `\/` or `%2F`. Attack: `credentials-reflection`.
 */
export function encodingsOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const latin = /^[\0-\xff]*$/u.test(text) ? [text] : [];
  const spelt = [
    bytes.toString('latin1'),
    ...latin,
    ...utf16Bytes(text),
    ...hex(bytes),
    ...escaped(text),
    ...percent(bytes).map((each) => each.replaceAll('%', '%25')),
    ...json(JSON.stringify(text).slice(1, -1)),
    ...base64(bytes).flatMap((each) => [each, ...escaped(each)]),
  ];
  return [...new Set(spelt)].map((each) => Buffer.from(each, 'latin1'));
}

function escaped(text: string): readonly string[] {
  return [...percent(Buffer.from(text)), ...json(text), ...html(text)];
}

function utf16Bytes(text: string): readonly string[] {
  const little = Buffer.from(text, 'utf16le');
  return [little.toString('latin1'), Buffer.from(little).swap16().toString('latin1')];
}

/** Encodes the bytes with zero, one and two bytes before them in their group of three. Source: RFC 4648 §4. */
export function base64Alignments(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
}

/** Encodes in both alphabets of RFC 4648, §4 and §5. */
function base64(bytes: Buffer): readonly string[] {
  return base64Alignments(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

function hex(bytes: Buffer): readonly string[] {
  const text = bytes.toString('hex');
  return [text, text.toUpperCase()];
}

/**
 * Characters that encoders leave unchanged: `encodeURIComponent`, RFC 3986 §2.3, Python's `quote`, HTML forms, and
 * encoders that escape everything.
 */
const unreserved = [/[\w\-.!~*'()]/u, /[\w\-.~]/u, /[\w\-.~/]/u, /[\w\-.*]/u, /[^\0-\uffff]/u] as const;

/** For each kind of encoder, the spelling of each byte. */
const spellings = unreserved.map((kept) =>
  Array.from({ length: 256 }, (_, code) => {
    const byte = String.fromCharCode(code);
    return kept.test(byte) ? byte : `%${code.toString(16).padStart(2, '0').toUpperCase()}`;
  }),
);

function percent(bytes: Buffer): readonly string[] {
  return spellings.flatMap((spelling) => {
    const upper = Array.from(bytes, (byte) => spelling[byte] ?? '').join('');
    return [upper, upper.replaceAll(/%[\dA-F]{2}/gu, (pair) => pair.toLowerCase()), upper.replaceAll('%20', '+')];
  });
}

/**
 * Characters that serializers escape although they do not have to. Sources: RFC 8259 §7; Python (`ensure_ascii`); Go
 * (`SetEscapeHTML`); Gson (`htmlSafe`); .NET (`JavaScriptEncoder.Default`), which writes upper case.
 */
const escapedInJson: readonly { readonly characters: RegExp; readonly digits: 'small' | 'capital' }[] = [
  { characters: /[^\0-\x7f]/gu, digits: 'small' },
  { characters: /[<>&]/gu, digits: 'small' },
  { characters: /[<>&='\u2028\u2029]/gu, digits: 'small' },
  { characters: /\\"|[<>&'+`]|[^\0-\x7f]/gu, digits: 'capital' },
];

/** Escapes for JSON, and adds PHP's spelling `\/` for each. */
function json(text: string): readonly string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const spelt = escapedInJson.map(({ characters, digits }) =>
    plain.replaceAll(characters, (found) => [...utf16(found.replace('\\', ''), digits)].join('')),
  );
  return [plain, ...spelt]
    .flatMap((each) => [each, each.replaceAll('/', '\\/')])
    .map((each) => Buffer.from(each).toString('latin1'));
}

function* utf16(character: string, digits: 'small' | 'capital'): Generator<string> {
  for (let at = 0; at < character.length; at += 1) {
    const code = character.charCodeAt(at).toString(16).padStart(4, '0');
    yield `\\u${digits === 'small' ? code : code.toUpperCase()}`;
  }
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/**
 * Go's `html.EscapeString` writes quotes in decimal, Python's `html.escape` the apostrophe in hexadecimal, PHP's
 * `htmlspecialchars` with a zero. Mustache and Handlebars also write `/` and `=`, .NET's `HtmlEncoder` also `+`.
 */
const others: readonly Readonly<Record<string, string>>[] = [
  named,
  { ...named, '"': '&#34;' },
  { ...named, "'": '&#x27;' },
  { ...named, "'": '&apos;' },
  { ...named, "'": '&#039;' },
  { ...named, '/': '&#x2F;', '=': '&#x3D;', '`': '&#x60;' },
  { ...named, '=': '&#x3D;', '`': '&#x60;', "'": '&#x27;' },
  { ...named, "'": '&#x27;', '+': '&#x2B;' },
  { ...named, '"': '"', "'": "'" },
];

function html(text: string): readonly string[] {
  return others.map((names) =>
    Buffer.from(text.replaceAll(/[&<>"'/=+`]/gu, (character) => names[character] ?? character)).toString('latin1'),
  );
}
