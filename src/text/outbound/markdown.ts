import { type Fence, readFences } from './fences.ts';
import { MarkdownScan } from './markdown-scan.ts';
import type { OutboundPass } from './safe-tag.ts';

/**
 * Returns a markdown message that loads nothing and links to no other place. This is not a markdown parser. It judges
 * all characters that any renderer could take for a destination, a tag or a URL, except where all renderers see code.
 */
export function defuseMarkdown(text: string, pass: OutboundPass): string {
  return defuseBlocks(text, readFences(text, 'start').fences, pass);
}

/** Defuses a text whose fenced blocks are known. */
export function defuseBlocks(text: string, fences: readonly Fence[], pass: OutboundPass): string {
  const scan = new MarkdownScan(text, pass);
  let at = 0;
  for (const fence of fences) {
    proseUpTo(scan, text, { start: at, end: fence.start });
    fencedBlock(scan, text, { fence, pass });
    at = fence.end;
  }
  proseUpTo(scan, text, { start: at, end: text.length });
  return scan.result();
}

function proseUpTo(scan: MarkdownScan, text: string, within: Range): void {
  for (const span of codeSpans(text, within)) {
    scan.prose(span.start);
    scan.keep(span.end);
  }
  scan.prose(within.end);
}

/** Shows a drawing as code if it could reach another place. */
function fencedBlock(
  scan: MarkdownScan,
  text: string,
  { fence, pass }: { readonly fence: Fence; readonly pass: OutboundPass },
): void {
  const { info, start, end } = fence;
  const language = text.slice(info.start, info.end);
  if (!staysDrawn(language, text.slice(info.end, end))) {
    pass.tell({ start, end, what: 'drawing shown as code' });
    scan.keep(info.start);
    scan.replace(info.end, 'text');
  }
  scan.keep(end);
}

/** Languages of fenced blocks that are drawn, not shown. */
const drawn =
  /mermaid|math|latex|\btex\b|katex|plantuml|puml|\buml\b|\bdot\b|graphviz|vega|geojson|topojson|\bstl\b|svgbob|nomnoml|ditaa|d2|excalidraw|chart|flow|sequence|\babc\b|kroki|embed|iframe|wavedrom|markmap|infographic|html-preview|\bpikchr\b/iu;

/** Syntax of these languages that could load, link or configure something. */
const reaching =
  /\/\/|:\s*\/|url|@import|img|image|click|href|link|src|%%\{|theme|config|include|icon|script|&[a-z#]|#\w+;|\\(?!n)|<(?!br\s*\/?>|\||-|<)|\bcall\b|---\s*[\r\n]/iu;

/**
 * Returns whether a fenced block needs no change, because it is not a drawing, or nothing in it could reach another
 * place. `info` is the text after its opening marks.
 */
export function staysDrawn(info: string, body: string): boolean {
  return !isDrawn(info) || !reaching.test(body);
}

/** Decodes references and backslashes, because renderers decide by the decoded language whether a block is drawn. */
export function isDrawn(info: string): boolean {
  return drawn.test(info) || /[&\\{]/u.test(info);
}

/** A part of a text. `end` is exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Syntax that may win over a code span, or ignore it: HTML, a URL that runs into it, math, and syntax of other
 * dialects.
 */
const rivals = /<[A-Za-z/!?]|(?<=(?:\/\/|www\.|mailto:|xmpp:)[^\s<`]*)`|\$|(?<!\])\\\(|\\\[|\[\[|%%|\{\{/iu;
const blank = /(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)/gu;

/**
 * Returns the code spans between two offsets that every renderer reads as code. Each is on one line, in a paragraph
 * without rival syntax.
 */
export function codeSpans(text: string, within: Range): readonly Range[] {
  const found: Range[] = [];
  if (text.indexOf('`', within.start) < 0) return found;
  blank.lastIndex = within.start;
  for (let start = within.start; start < within.end; ) {
    const gap = blank.exec(text);
    const end = gap === null || gap.index >= within.end ? within.end : blank.lastIndex;
    found.push(...spansOfParagraph(text, { start, end }));
    start = end;
    // Three line breaks in a row form two gaps.
    blank.lastIndex = end;
  }
  return found;
}

function spansOfParagraph(text: string, { start, end }: Range): readonly Range[] {
  const paragraph = text.slice(start, end);
  // A label may hold a backquote that opens nothing.
  if (!paragraph.includes('`') || paragraph.includes(']:')) return [];
  const spans: Range[] = [];
  let outside = '';
  let from = 0;
  const line = /[^\r\n]+/gu;
  for (let found = line.exec(paragraph); found !== null; found = line.exec(paragraph)) {
    const spansHere = spansOfLine(found[0], found.index);
    // A run of backquotes without an end on its line may end on another line, and then all later ones pair differently.
    if (spansHere === undefined) return [];
    for (const span of spansHere) {
      outside += `${paragraph.slice(from, span.start)}\``;
      from = span.end;
      spans.push({ start: start + span.start, end: start + span.end });
    }
  }
  return rivals.test(outside + paragraph.slice(from)) ? [] : spans;
}

function spansOfLine(line: string, offset: number): readonly Range[] | undefined {
  const spans: Range[] = [];
  const runs = [...line.matchAll(/\\?`+/gu)];
  for (let at = 0; at < runs.length; at += 1) {
    const open = runs[at] as RegExpExecArray;
    const close = runs[at + 1];
    // The text in between must have no other run of backquotes, so that all renderers pair them alike, and no border of
    // a table cell.
    if (open[0].startsWith('\\') || close === undefined || close[0] !== open[0]) return undefined;
    const content = line.slice(open.index, close.index);
    if (content.includes('|')) return undefined;
    spans.push({ start: offset + open.index, end: offset + close.index + close[0].length });
    at += 1;
  }
  return spans;
}
