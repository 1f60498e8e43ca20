const quoted = /(?<![^\s(])['"‘“]([^'"’”\n]+)['"’”]/gu;
const closingQuote = /['"’”]$/u;
const pathInWords = /(?:^|\s)((?:~?\/|\.{1,2}\/).*)$/u;

/**
 * The paths that a message may mean by what stands before its `: Permission denied`, the likeliest first: everything in
 * quotes when it ends with a quote; else what stands behind the last `: `, from where it looks like a path, and as a whole,
 * and its last word. What is too many is harmless, because the policy is asked about each.
 */
export function pathsBefore(text: string): readonly string[] {
  if (closingQuote.test(text)) return [...text.matchAll(quoted)].flatMap(([, path]) => path ?? []);
  const colon = text.lastIndexOf(': ');
  const last = (colon < 0 ? text : text.slice(colon + 2)).trim();
  const candidates = [pathInWords.exec(last)?.[1], looksLikeWords(last) ? lastWord(last) : last, last, lastWord(last)];
  return [...new Set(candidates.flatMap((candidate) => (candidate === undefined || candidate === '' ? [] : [candidate])))];
}

/** `could not lock config file .git/config` rather than a name with spaces in it. */
function looksLikeWords(text: string): boolean {
  return /^[a-z]+ .*[/.]/u.test(text);
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}
