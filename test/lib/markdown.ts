/** A fenced block of a page. */
export interface Fence {
  readonly language: string;
  /** The words after the language. */
  readonly words: readonly string[];
  readonly code: string;
  /** 1-based line of the opening fence. */
  readonly line: number;
}

/** Every fenced block. Throws for an unclosed one, because the checks would miss the text after it. */
export function fences(page: string): readonly Fence[] {
  const found: Fence[] = [];
  let open: { readonly info: string; readonly line: number; readonly code: string[] } | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const info = /^\s*```(.*)$/u.exec(line)?.[1];
    if (open === undefined) {
      if (info !== undefined) open = { info, line: index + 1, code: [] };
    } else if (info === undefined) open.code.push(line);
    else {
      const [language = '', ...words] = open.info.trim().split(/\s+/u);
      found.push({ language, words, code: `${open.code.join('\n')}\n`, line: open.line });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`the fence of line ${open.line} is never closed`);
  return found;
}

/** Targets of links and pictures, except those inside fences and code. */
export function links(page: string): readonly string[] {
  const text = page.replaceAll(/^```.*?^```/gmsu, '').replaceAll(/`[^`\n]*`/gu, '');
  return [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|<img[^>]*\ssrc="([^"]+)"/gu)].map(
    ([, target, source]) => target ?? source ?? '',
  );
}

/** The anchor of a heading. */
export function anchors(page: string): readonly string[] {
  const headings = [...page.replaceAll(/^```.*?^```/gmsu, '').matchAll(/^#+ (.*)$/gmu)].map(
    ([, heading = '']) => heading,
  );
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/gu, '-'),
  );
}
