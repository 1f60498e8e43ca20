const quoted = /(?<![^\s(])['"‘“]([^'"’”\n]+)['"’”]/gu;
const closingQuote = /['"’”]$/u;
const pathInWords = /(?:^|\s)((?:~?\/|\.{1,2}\/).*)$/u;

/**
 * The paths that a message means by what stands before its `: Permission denied`: everything in quotes when it ends with a
 * quote; else what stands behind the last `: `, from where it looks like a path, or its last word.
 */
export function pathsBefore(text: string): readonly string[] {
  if (closingQuote.test(text)) return [...text.matchAll(quoted)].flatMap(([, path]) => path ?? []);
  const colon = text.lastIndexOf(': ');
  const last = (colon < 0 ? text : text.slice(colon + 2)).trim();
  const path = pathInWords.exec(last)?.[1] ?? (looksLikeWords(last) ? last.slice(last.lastIndexOf(' ') + 1) : last);
  return path === '' ? [] : [path];
}

/** `could not lock config file .git/config` rather than a name with spaces in it. */
function looksLikeWords(text: string): boolean {
  return /^[a-z]+ .*[/.]/u.test(text);
}
