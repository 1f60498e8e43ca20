import { codeSpans, type Range } from './code-spans.ts';
import { staysDrawn } from './diagrams.ts';
import { type Fence, readFences } from './fences.ts';
import { MarkdownScan } from './markdown-scan.ts';
import type { Pass } from './types.ts';

/**
 * A message in markdown with nothing in it that loads or leads elsewhere. Not a parser of markdown: wherever the characters
 * stand that any renderer could take for a destination, a tag or a URL, they are judged, unless all renderers see code.
 */
export function defuseMarkdown(text: string, pass: Pass): string {
  return defuseBlocks(text, readFences(text, 'start').fences, pass);
}

/** The same, of a text whose fenced blocks are known. */
export function defuseBlocks(text: string, fences: readonly Fence[], pass: Pass): string {
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

/** A drawing that could reach something is shown as code. */
function fencedBlock(scan: MarkdownScan, text: string, { fence, pass }: { readonly fence: Fence; readonly pass: Pass }): void {
  const { info, start, end } = fence;
  const language = text.slice(info.start, info.end);
  if (!staysDrawn(language, text.slice(info.end, end))) {
    pass.tell({ start, end, what: 'drawing shown as code' });
    scan.keep(info.start);
    scan.replace(info.end, 'text');
  }
  scan.keep(end);
}
