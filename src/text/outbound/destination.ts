import { decodeReferences } from './entities.ts';
import { rasterData } from './judge-url.ts';

/** A destination of markdown, as it stands in the source. */
export interface Destination {
  readonly raw: string;
  /** What it means: without references and backslashes. */
  readonly decoded: string;
  /** Offset after it, with its brackets. */
  readonly end: number;
}

const longest = 4096;
const space = /[ \t]*(?:\r?\n[ \t>]*)?/uy;
const bracketed = /<([^<>\r\n]{0,4096})>/uy;
const data = /data:image\/[a-z]{3,4};base64,[A-Za-z0-9+/=]*/uy;

/** Reads the destination after `](` or `]:`, more liberally than any renderer; nothing where there is no end to it. */
export function destinationAt(text: string, at: number, limit: number): Destination | undefined {
  const start = Math.min(limit, at + (matchAt(space, text, at)?.[0].length ?? 0));
  const whole = matchAt(bracketed, text, start) ?? matchAt(data, text, start);
  if (whole !== undefined) return destination(whole[1] ?? whole[0], start + whole[0].length, limit);
  const end = bareEnd(text, start, limit);
  return end === undefined ? undefined : destination(text.slice(start, end), end, limit);
}

function destination(raw: string, end: number, limit: number): Destination | undefined {
  if (end > limit) return undefined;
  return { raw, decoded: decodeReferences(raw).replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1'), end };
}

/** Up to a blank, or the parenthesis that closes what opened before it. Brackets and backquotes end a belief. */
function bareEnd(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  for (let at = start; at < limit && at < start + longest; at += 1) {
    const character = text.charAt(at);
    if (character <= ' ') return at;
    // Some take any blank for the end, some only those of ASCII.
    if (/[<>[\]`\s\x7f-\x9f]/u.test(character)) return undefined; // oxlint-disable-line no-control-regex -- nor are these anything in a URL
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

/** Whether every renderer reads the same URL from it: a host that nothing can extend, and nothing that markdown or HTML decodes before it. */
function isStrictUrl(raw: string): boolean {
  return /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?(?::\d{1,5})?(?:[/?#][!#$%&+,./:;=?@\w~*-]*)?$/iu.test(raw);
}

/** A strict URL, an e-mail address, or pixels. */
export function isStrict(raw: string): boolean {
  return isStrictUrl(raw) || /^mailto:[\w.+-]+@[\w.-]+$/iu.test(raw) || rasterData.test(raw);
}

/** Relative, with no way to become absolute, and nothing in it that would be a URL where the link is none after all. */
export function isStrictRelative(raw: string): boolean {
  return !/\/\/|www\./iu.test(raw) && !/[\0-\x20\x7f-\x9f\s\\:<>[\]`"']/u.test(raw); // oxlint-disable-line no-control-regex -- a browser drops them, and reads on
}

/** An absolute URL as every renderer reads it. */
export function strictHref(href: string): string | undefined {
  const strict = href.replaceAll(/[^!#$%&+,./:;=?@\w~*-]/gu, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  return isStrictUrl(strict) ? strict : undefined;
}
