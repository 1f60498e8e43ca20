/** A link destination in markdown, as written in the source. */
export interface MarkdownDestination {
  readonly raw: string;
  /** The destination with references and backslashes decoded. */
  readonly decoded: string;
  /** Offset after the destination and its closing bracket. */
  readonly end: number;
}

const longest = 4096;
const space = /[ \t]*(?:\r?\n[ \t>]*)?/uy;
const bracketed = /<([^<>\r\n]{0,4096})>/uy;
const data = /data:image\/[a-z]{3,4};base64,[A-Za-z0-9+/=]*/uy;

const hostName = /[a-z0-9.-]{1,253}/iuy;
const port = /:\d{1,5}(?!\d)/uy;
/** Text after which a name ends for every renderer, and cannot be a user name before `@`. */
const ending = /(?![^\s</?#]{0,2048}@)(?:[/?#\][|^<\s]|[)!.,:;*_'"?]*(?:[\s<\]|]|$))/uy;

const httpScheme = /https?:\/\//iuy;

/** Reads the destination after `](` or `]:`, more liberally than any renderer. Undefined if it has no end. */
export function destinationAt(text: string, at: number, limit: number): MarkdownDestination | undefined {
  const start = Math.min(limit, at + (matchAt(space, text, at)?.[0].length ?? 0));
  const whole = matchAt(bracketed, text, start) ?? matchAt(data, text, start);
  if (whole !== undefined) return destination(whole[1] ?? whole[0], start + whole[0].length, limit);
  const end = bareEnd(text, start, limit);
  return end === undefined ? undefined : destination(text.slice(start, end), end, limit);
}

function destination(raw: string, end: number, limit: number): MarkdownDestination | undefined {
  if (end > limit) return undefined;
  return { raw, decoded: decodeReferences(raw).replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1'), end };
}

/** Reads up to a blank, or an unmatched closing parenthesis. Stops without a result at brackets and backquotes. */
function bareEnd(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  for (let at = start; at < limit && at < start + longest; at += 1) {
    const character = text.charAt(at);
    if (character <= ' ') return at;
    // Some renderers end a destination at any blank, others only at ASCII ones.
    if (/[<>[\]`\s\x7f-\x9f]/u.test(character)) return undefined; // oxlint-disable-line no-control-regex -- these have no meaning in a URL either
    if (character === '(') depth += 1;
    if (character === ')' && (depth -= 1) < 0) return at;
    if (character === '\\') at += 1;
  }
  return limit === text.length && text.length < start + longest ? text.length : undefined;
}

export function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

/**
 * Returns whether every renderer reads the same URL: no character can extend the host, and neither markdown nor HTML
 * decodes anything in it.
 */
function isStrictUrl(raw: string): boolean {
  return /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?(?::\d{1,5})?(?:[/?#][!#$%&+,./:;=?@\w~*-]*)?$/iu.test(raw);
}

/** Returns whether it is a strict URL, an e-mail address, or a pixel image. */
export function isStrict(raw: string): boolean {
  return isStrictUrl(raw) || /^mailto:[\w.+-]+@[\w.-]+$/iu.test(raw) || rasterData.test(raw);
}

/**
 * Returns whether it is a relative URL that cannot become absolute, and contains no URL in case it is not a link at
 * all.
 */
export function isStrictRelative(raw: string): boolean {
  return !/\/\/|www\./iu.test(raw) && !/[\0-\x20\x7f-\x9f\s\\:<>[\]`"']/u.test(raw); // oxlint-disable-line no-control-regex -- a browser drops them and continues
}

/** Returns an absolute URL that every renderer reads alike, or undefined. */
export function strictHref(href: string): string | undefined {
  const strict = href.replaceAll(
    /[^!#$%&+,./:;=?@\w~*-]/gu,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return isStrictUrl(strict) ? strict : undefined;
}

/** Named character references that can hide a part of a URL, or the syntax around one. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  AMP: '&',
  lt: '<',
  LT: '<',
  gt: '>',
  GT: '>',
  quot: '"',
  QUOT: '"',
  apos: "'",
  nbsp: '\u00a0',
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  commat: '@',
  percnt: '%',
  num: '#',
  quest: '?',
  equals: '=',
  Tab: '\t',
  NewLine: '\n',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  excl: '!',
  grave: '`',
  DiacriticalGrave: '`',
  lowbar: '_',
  UnderBar: '_',
  plus: '+',
  comma: ',',
  semi: ';',
  dollar: '$',
  ast: '*',
  midast: '*',
  vert: '|',
  VerticalLine: '|',
  verbar: '|',
  Hat: '^',
  shy: '\u00ad',
  ZeroWidthSpace: '\u200b',
};

export const reference =
  /&(?:#(?<decimal>\d{1,8})|#[xX](?<hex>[0-9A-Fa-f]{1,7})|(?<name>[A-Za-z][A-Za-z0-9]{1,31}));?/gu;

/**
 * Decodes the character references that matter for a URL. Others stay. The semicolon is optional, as in HTML, although
 * markdown requires it.
 */
export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replaceAll(reference, (whole: string) => decodeReference(whole) ?? whole) : text;
}

/** Returns the text of one reference. Undefined for an unknown name. */
export function decodeReference(whole: string): string | undefined {
  const body = whole.slice(1).replace(/;$/u, '');
  if (!body.startsWith('#')) return Object.hasOwn(named, body) ? named[body] : undefined;
  const code = /^#x/iu.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

export type JudgedLink =
  /** Leads to the same site as the page. */
  | { readonly kind: 'relative' }
  | { readonly kind: 'allowed'; readonly href: string }
  /** `shown`: the URL in a form that no program links. `host`: the host that it would reach, in the same form. */
  | { readonly kind: 'refused'; readonly host: string; readonly shown: string };

const nowhere = 'relative.invalid';
const longestUrl = 8192;
const longestShown = 160;
/** Pixel images only, because an SVG could load and run anything. */
export const rasterData = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[A-Za-z0-9+/]*={0,2}$/u;

/** Returns where a URL leads, as a browser reads it. `raw` is decoded from markdown and HTML. */
export function judgeUrl(raw: string, allows: (url: string) => boolean): JudgedLink {
  if (rasterData.test(raw)) return { kind: 'allowed', href: raw };
  // Parsed without a base first, because `https:evil.example.com` is a path on https pages and a host on http pages.
  const url = raw.length > longestUrl ? null : (URL.parse(raw) ?? URL.parse(raw, `https://${nowhere}/`));
  if (url === null) return refused('', raw);
  if (url.protocol === 'mailto:')
    return url.search === '' && /^mailto:[\w.+-]+@[\w.-]+$/u.test(url.href)
      ? { kind: 'allowed', href: url.href }
      : refused('', url.href);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('', url.href);
  if (url.host === nowhere)
    return raw.toLowerCase().includes(nowhere) ? refused(url.host, url.href) : { kind: 'relative' };
  // A user name before the host only serves to be mistaken for the host.
  if (url.username !== '' || url.password !== '' || !allows(url.href)) return refused(url.host, url.href);
  return { kind: 'allowed', href: url.href };
}

function refused(host: string, href: string): JudgedLink {
  return {
    kind: 'refused',
    host: host === '' ? inert(/^[^:/?#]{0,20}/u.exec(href)?.[0] ?? '') : inert(host),
    shown: inertUrl(href),
  };
}

/** Returns `https[:]//evil[.]example[.]com/path`, which people can read and no renderer links. */
export function inertUrl(href: string): string {
  const [, scheme = '', slashes = '', host = '', rest = href] =
    /^([A-Za-z][A-Za-z0-9+.-]*):(\/\/)?([^/?#]*)(.*)$/su.exec(href) ?? [];
  const short = rest.length > longestShown ? `${rest.slice(0, longestShown)}...` : rest;
  const named = inert(host.slice(0, longestShown));
  // If no name follows them, two slashes could begin a URL with the text after them.
  const between = slashes === '' || /^[a-z0-9]/iu.test(named) ? slashes : '/%2F';
  return `${scheme === '' ? '' : `${scheme.replaceAll('.', '[.]')}[:]${between}`}${named}${quiet(short)}`;
}

function inert(host: string): string {
  return quiet(host.replaceAll(/[[\]]/gu, '')).replaceAll('.', '[.]').replaceAll('%3A', '[:]');
}

/** Replaces all characters that have a meaning in markdown or HTML, or for programs that link plain text. */
function quiet(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^A-Za-z0-9\-/._?=;,+#%]/gu, encodeURIComponent)
    .replaceAll(/[!'()*]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('~', '%7E')
    .replaceAll('//', '/%2F')
    .replaceAll(/(?<=www)\./giu, '%2E');
}

/**
 * Returns the end of the host and its port that begin at `at` in running text. Undefined if renderers could disagree
 * about it, or if it is not allowed. The most expensive check comes last, because on a text of `www.www.…` it would
 * take minutes.
 */
export function bareHostEnd(text: string, at: number, isAllowed: (host: string) => boolean): number | undefined {
  const host = matchAt(hostName, text, at)?.[0].replace(/(?<![.-])[.-]+$/u, '') ?? '';
  if (host === '' || host.startsWith('.') || host.includes('..')) return undefined;
  const end = at + host.length + (matchAt(port, text, at + host.length)?.[0].length ?? 0);
  return isAllowed(text.slice(at, end)) && matchAt(ending, text, end) !== undefined ? end : undefined;
}

/** Returns the end of an http URL's host and port. */
export function httpHostEnd(text: string, at: number): number | undefined {
  return matchAt(httpScheme, text, at) === undefined ? undefined : bareHostEnd(text, httpScheme.lastIndex, () => true);
}

/** Returns the host name at `at`. Before a colon its last word may be a scheme, which is checked separately. */
export function bareHost(text: string, at: number, limit: number): string {
  const name = matchAt(hostName, text, at)?.[0].slice(0, limit - at) ?? '';
  const host = /[:\\+]/u.test(text.charAt(at + name.length)) ? name.slice(0, name.lastIndexOf('.')) : name;
  return host.replace(/(?<![.-])[.-]+$/u, '');
}

const bareRun = /[^\s<>"'`\])]{0,4096}/uy;

/** Returns the URL in running text that begins at `at`. */
export function bareUrl(text: string, at: number, limit: number): string {
  const run = matchAt(bareRun, text, at)?.[0].slice(0, limit - at) ?? '';
  return run.replace(/(?<![?!.,:;*_~|])[?!.,:;*_~|]+$/u, '');
}

/** Returns where the scheme before `at` begins, at most 32 characters before it. */
export function schemeStart(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && at - start < 32 && /[A-Za-z0-9+.-]/u.test(text.charAt(start - 1))) start -= 1;
  return start;
}

const longestRun = 256;

/** `<` ends a URL, so its replacement at `at` must not lengthen one. */
export function apartFrom(text: string, at: number, replacement: string): string {
  const before = /\S*$/u.exec(text.slice(Math.max(0, at - longestRun), at))?.[0] ?? '';
  return replacement.startsWith('<') || !(before.length === longestRun || /\/\/|www/iu.test(before))
    ? replacement
    : ` ${replacement}`;
}
