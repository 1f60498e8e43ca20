/** Named references that can hide a part of a URL, or the syntax around one. */
const named: Readonly<Record<string, string>> = {
  amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"', apos: "'", nbsp: '\u00a0', colon: ':', sol: '/', bsol: '\\', period: '.', commat: '@',
  percnt: '%', num: '#', quest: '?', equals: '=', Tab: '\t', NewLine: '\n', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']',
  lcub: '{', lbrace: '{', rcub: '}', rbrace: '}', excl: '!', grave: '`', DiacriticalGrave: '`', lowbar: '_', UnderBar: '_', plus: '+', comma: ',',
  semi: ';', dollar: '$', ast: '*', midast: '*', vert: '|', VerticalLine: '|', verbar: '|', Hat: '^', shy: '\u00ad', ZeroWidthSpace: '\u200b',
};

export const reference = /&(?:#(?<decimal>\d{1,8})|#[xX](?<hex>[0-9A-Fa-f]{1,7})|(?<name>[A-Za-z][A-Za-z0-9]{1,31}));?/gu;

/** References decoded, as far as they can matter for a URL; others stay. Markdown wants a semicolon, HTML does without: so does this. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replaceAll(reference, (whole: string) => decodeReference(whole) ?? whole) : text;
}

/** What one reference stands for; nothing where the name is unknown here. */
export function decodeReference(whole: string): string | undefined {
  const body = whole.slice(1).replace(/;$/u, '');
  if (!body.startsWith('#')) return Object.hasOwn(named, body) ? named[body] : undefined;
  const code = /^#x/iu.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
