import MarkdownIt from 'markdown-it';
import { Marked } from 'marked';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** Renderers without shared code, with their most permissive settings. */
const linking = new MarkdownIt({ html: true, linkify: true, typographer: true });
linking.validateLink = () => true;
linking.linkify?.set({ fuzzyLink: false, fuzzyEmail: false });
const strict = new MarkdownIt('commonmark', { html: true });
strict.validateLink = () => true;
const gfm = new Marked({ gfm: true, async: false });
const breaks = new Marked({ gfm: true, breaks: true, pedantic: false, async: false });

export const renderers: Readonly<Record<string, (text: string) => string>> = {
  'markdown-it': (text) => linking.render(text),
  commonmark: (text) => strict.render(text),
  marked: (text) => gfm.parse(text) as string,
  'marked with breaks': (text) => breaks.parse(text) as string,
};

/**
 * Hosts that a browser would load from or link to, for a page. Active content and URLs without a host appear by their
 * scheme.
 */
export function reachedBy(html: string): readonly string[] {
  const found: string[] = [];
  visit(parse(html), found);
  return found;
}

type Node = DefaultTreeAdapterTypes.Node;

function visit(node: Node, found: string[]): void {
  if ('attrs' in node) for (const { name, value } of node.attrs) found.push(...ofAttribute(node.nodeName, name, value));
  if (
    ['script', 'style', 'iframe', 'object', 'embed', 'base', 'link', 'meta', 'svg', 'math', 'form'].includes(
      node.nodeName,
    )
  )
    found.push(`<${node.nodeName}>`);
  if ('content' in node) visit(node.content, found);
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, found);
}

const quiet = [
  'alt',
  'title',
  'class',
  'id',
  'align',
  'width',
  'height',
  'start',
  'type',
  'lang',
  'dir',
  'open',
  'colspan',
  'rowspan',
  'disabled',
  'checked',
];

function ofAttribute(element: string, name: string, value: string): readonly string[] {
  if (quiet.includes(name) || value === '') return [];
  if (name === 'style') return /^text-align:(?:left|right|center)$/u.test(value) ? [] : ['style'];
  if (!['href', 'src', 'poster'].includes(name)) return [`${element} ${name}`];
  const url = URL.parse(value, 'http://base.invalid/');
  if (url === null) return [];
  if (url.protocol === 'mailto:') return [];
  if (/^data:image\/(?:png|gif|jpeg|webp);base64,[\w+/=]*$/u.test(value)) return [];
  return url.protocol === 'http:' || url.protocol === 'https:'
    ? url.hostname === 'base.invalid'
      ? []
      : [url.hostname]
    : [url.protocol];
}
