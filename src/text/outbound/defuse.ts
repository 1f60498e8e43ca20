import { keptFindings, printablePayload } from '../terminal/describe.ts';
import type { FilteredText, TextFinding } from '../types.ts';
import { defuseMarkdown } from './markdown.ts';
import { opaqueTags, type OutboundOptions, pageTags, type OutboundPass, safeTag, tagAt } from './safe-tag.ts';

const passes = { markdown: defuseMarkdown, html: defuseHtml } as const;

/**
 * Defuses a text for a rich client: a model's answer, a tool's result, a page. Displaying the text, or a click in it,
 * then reaches only allowed hosts. Images become remarks, and links become their text with a URL that is not linked.
 * HTML is rewritten from a list of harmless tags, and drawings that could load something are shown as code. URLs that
 * `allows` allows, relative URLs, and embedded pixel images stay.
 *
 * Fails closed: if two renderers could read a text in two ways, the worse one counts. It does not cover addresses
 * without a scheme (`example.com`) that some clients link, e-mail addresses, and clients that run code blocks.
 */
export function defuseOutbound(text: string, { allows, media }: OutboundOptions): FilteredText {
  const findings: TextFinding[] = [];
  let omitted = 0;
  const defused = passes[media](text, {
    allows,
    tell: ({ start, end, what }) => {
      if (findings.length === keptFindings) omitted += 1;
      else findings.push({ kind: 'outbound', start, end, what: printablePayload(what) });
    },
  });
  const filtered = { text: defused === text ? text : defused, findings };
  return omitted === 0 ? filtered : { ...filtered, omitted };
}

/**
 * Returns a page that loads nothing and links to no other place. It consists of text, and of tags that are rewritten
 * from a list of harmless ones. Anything that is not understood becomes text.
 */
function defuseHtml(text: string, pass: OutboundPass): string {
  const closers = new Map<string, number>();
  let out = '';
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', from)) {
    out += text.slice(from, at);
    const piece = pieceAt(text, at, { pass, closers });
    out += piece.text;
    from = piece.end;
  }
  return out + text.slice(from);
}

interface Context {
  readonly pass: OutboundPass;
  /** Names of opaque elements that are never closed after the offset. Each name is searched for only once. */
  readonly closers: Map<string, number>;
}

function pieceAt(text: string, at: number, context: Context): { readonly text: string; readonly end: number } {
  const { pass } = context;
  const next = text.charAt(at + 1);
  if (next === '!' || next === '?') return comment(text, at);
  if (!/[A-Za-z/]/u.test(next)) return { text: '&lt;', end: at + 1 };
  const tag = tagAt(text, at, text.length);
  const name = tag?.name ?? /^<\/?([a-z]*)/iu.exec(text.slice(at, at + 20))?.[1]?.toLowerCase() ?? '';
  if (opaqueTags.includes(name)) {
    const end = opaqueEnd(text, { at, name, end: tag?.end ?? at + 1, context });
    pass.tell({ start: at, end, what: `html ${name}` });
    return { text: text.startsWith('</', at) ? '' : `(${name} removed)`, end };
  }
  if (tag === undefined) return { text: '&lt;', end: at + 1 };
  if (!pageTags.includes(name)) {
    pass.tell({ start: at, end: tag.end, what: `html ${name}` });
    return { text: '', end: tag.end };
  }
  const safe = safeTag(tag, pass.allows);
  for (const what of safe.removed) pass.tell({ start: at, end: tag.end, what });
  return { text: safe.text, end: tag.end };
}

/** Returns the end of the element, or the end of the page: after an open `<script`, a browser shows no text. */
function opaqueEnd(
  text: string,
  {
    at,
    name,
    end,
    context,
  }: { readonly at: number; readonly name: string; readonly end: number; readonly context: Context },
): number {
  if (text.startsWith('</', at)) return end;
  if (context.closers.has(name)) return text.length;
  const closer = new RegExp(`</${name}(?:[\\s/][^>]*)?>`, 'giu');
  closer.lastIndex = end;
  if (closer.test(text)) return closer.lastIndex;
  context.closers.set(name, at);
  return text.length;
}

/** Browsers end comments in different ways. All that could be one is removed, and the rest is checked again. */
function comment(text: string, at: number): { readonly text: string; readonly end: number } {
  const isComment = text.startsWith('<!--', at);
  const end = text.indexOf('>', at);
  if (!isComment) return { text: '', end: end < 0 ? text.length : end + 1 };
  const closed = /-->|--!>/gu;
  closed.lastIndex = at + 2;
  return { text: '', end: closed.test(text) ? closed.lastIndex : text.length };
}
