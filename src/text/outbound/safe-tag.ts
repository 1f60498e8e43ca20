import type { TextFinding } from '../types.ts';
import { decodeReferences, judgeUrl, matchAt } from './destination.ts';

/** The replacement of a tag, and the parts that were removed. */
export interface SafeTag {
  readonly text: string;
  readonly removed: readonly string[];
}

/** Rewrites a tag with known attributes and with URLs of allowed hosts only. The tag's name must be a harmless one. */
export function safeTag(tag: HtmlTag, allows: (url: string) => boolean): SafeTag {
  if (tag.kind === 'close') return { text: `</${tag.name}>`, removed: [] };
  const kept: string[] = [];
  const removed: string[] = [];
  let shown = '';
  for (const [name, value] of tag.attributes) {
    if (plainAttributes.includes(name)) kept.push(`${name}=${quotedAttribute(value)}`);
    else if (urlAttributes[tag.name]?.includes(name)) {
      const judged = judgeUrl(value, allows);
      if (judged.kind === 'refused') {
        removed.push(`${tag.name} ${judged.host}`);
        shown = judged.shown;
      } else
        kept.push(
          `${name}=${judged.kind === 'allowed' ? quotedAttribute(judged.href).replaceAll('&#58;', ':') : quotedAttribute(value)}`,
        );
    } else if (!idleAttributes.includes(name) && !/^(?:data|aria)-/u.test(name)) removed.push(`${tag.name} ${name}`);
  }
  if (shown !== '' && tag.name !== 'a')
    return { text: `(${tag.name === 'img' ? 'image' : tag.name} removed: ${shown})`, removed };
  const text = `<${[tag.name, ...kept].join(' ')}>`;
  return { text: shown === '' ? text : `(${shown}) ${text}`, removed };
}

/** The HTML that may stay, as data. Everything else is removed. */

/** Elements that only show text, in messages and pages. */
export const inlineTags: readonly string[] = [
  'a',
  'abbr',
  'b',
  'blockquote',
  'br',
  'caption',
  'center',
  'cite',
  'code',
  'dd',
  'del',
  'details',
  'dfn',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'mark',
  'ol',
  'p',
  'q',
  'rp',
  'rt',
  'ruby',
  's',
  'samp',
  'small',
  'span',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
  'var',
  'wbr',
  'audio',
  'video',
  'source',
];

/** Allowed in pages only: in markdown, `pre` would turn the code after it into HTML. */
export const pageTags: readonly string[] = [
  ...inlineTags,
  'address',
  'article',
  'aside',
  'body',
  'footer',
  'header',
  'html',
  'main',
  'nav',
  'pre',
  'section',
];

/**
 * Elements whose content is not text of the page, or follows other rules. In pages, the content is removed with the
 * element.
 */
export const opaqueTags: readonly string[] = [
  'script',
  'style',
  'svg',
  'math',
  'iframe',
  'object',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'title',
  'textarea',
  'xmp',
  'select',
  'head',
  'frameset',
  'applet',
  'portal',
  'canvas',
];

/** Attributes that only describe text and layout. */
export const plainAttributes: readonly string[] = [
  'align',
  'alt',
  'colspan',
  'dir',
  'height',
  'lang',
  'open',
  'reversed',
  'rowspan',
  'start',
  'title',
  'type',
  'valign',
  'width',
  'controls',
];

/** Attributes that hold a URL, by element. No other element keeps one. */
export const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src'],
  video: ['src', 'poster'],
  audio: ['src'],
  source: ['src'],
};

/** Attributes that are dropped without a finding. */
export const idleAttributes: readonly string[] = [
  'class',
  'id',
  'rel',
  'target',
  'name',
  'role',
  'loading',
  'decoding',
];

interface HtmlTag {
  /** Lower case. */
  readonly name: string;
  readonly kind: 'open' | 'close';
  /** Names are in lower case, and the first of each name counts. Values are decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Offset after `>`. */
  readonly end: number;
}

const opening = /<(?<close>\/?)(?<name>[A-Za-z][A-Za-z0-9:-]*)(?=[\s/>])/uy;
const attribute =
  /[\s/]*(?<name>[^\s/>=<"'`]+)(?:\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s>"'<=`]+)))?/uy;
const closing = /[\s/]*>/uy;

/** Reads the tag at `<`. Undefined if browsers and markdown could read it differently. It is then shown as text. */
export function tagAt(text: string, at: number, limit: number): HtmlTag | undefined {
  const found = matchAt(opening, text, at)?.groups;
  if (found === undefined) return undefined;
  const attributes = new Map<string, string>();
  let position = opening.lastIndex;
  for (;;) {
    if (matchAt(closing, text, position) !== undefined) break;
    const next = matchAt(attribute, text, position);
    if (next === undefined || attribute.lastIndex > limit) return undefined;
    position = attribute.lastIndex;
    const { name = '', double, single, bare } = next.groups ?? {};
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), decodeReferences(double ?? single ?? bare ?? ''));
  }
  if (closing.lastIndex > limit || /\n[ \t\r>]*\n/u.test(text.slice(at, closing.lastIndex))) return undefined;
  return {
    name: (found['name'] ?? '').toLowerCase(),
    kind: found['close'] === '/' ? 'close' : 'open',
    attributes,
    end: closing.lastIndex,
  };
}

/** Returns an attribute's value in a form that contains no syntax of HTML or markdown. */
export function quotedAttribute(value: string): string {
  return `"${value
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replaceAll(/[^\w .,;/?=%+#\u00a1-\u{10ffff}-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`)}"`;
}

export interface OutboundOptions {
  /**
   * Returns whether a reader's program may load or link this URL: `http` or `https`, absolute, as the URL standard
   * writes it.
   */
  readonly allows: (url: string) => boolean;
  /** Format in which the text will be displayed. */
  readonly media: 'markdown' | 'html';
}

/** Input and findings of one pass over a text. */
export interface OutboundPass {
  readonly allows: (url: string) => boolean;
  readonly tell: (finding: Pick<TextFinding, 'start' | 'end' | 'what'>) => void;
}
