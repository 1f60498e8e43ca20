/** A part of a text, `end` not in it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Syntax that may bind tighter than a code span, or see none in it: HTML, a URL that runs into it, math, and what other dialects have. */
const rivals = /<[A-Za-z/!?]|(?:\/\/|www\.|mailto:|xmpp:)[^\s<`]*`|\$|(?<!\])\\\(|\\\[|\[\[|%%|\{\{/iu;
const blank = /(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)/gu;

/** The code spans between two offsets that every renderer takes for code: on one line, in a paragraph without rivals. */
export function codeSpans(text: string, within: Range): readonly Range[] {
  const found: Range[] = [];
  if (text.indexOf('`', within.start) < 0) return found;
  blank.lastIndex = within.start;
  for (let start = within.start; start < within.end; ) {
    const gap = blank.exec(text);
    const end = gap === null || gap.index >= within.end ? within.end : blank.lastIndex;
    found.push(...spansOfParagraph(text, { start, end }));
    start = end;
    // Three line breaks in a row are two gaps.
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
    // A run that nothing closes on its line may be closed on another one, and turn all of them inside out.
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
    // What stands between must not hold another run: then nobody counts differently. Nor a cell's edge.
    if (open[0].startsWith('\\') || close === undefined || close[0] !== open[0]) return undefined;
    const content = line.slice(open.index, close.index);
    if (content.includes('|')) return undefined;
    spans.push({ start: offset + open.index, end: offset + close.index + close[0].length });
    at += 1;
  }
  return spans;
}
