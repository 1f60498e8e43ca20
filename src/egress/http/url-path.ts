/**
 * Sequences on which normalisers disagree: one resolves a path to `/admin`, another does not. Ordinary clients never
 * send them, because programs that build URLs from parts resolve or escape them first.
 */
const ambiguous: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /\\|%5c/iu, what: 'a backslash, which some servers read as a slash' },
  { pattern: /%(?![\da-f]{2})/iu, what: 'an incomplete percent escape' },
  { pattern: /%(?:[01][\da-f]|7f)/iu, what: 'an escaped control character' },
  { pattern: /(?:^|\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|;|%3b|$)/iu, what: 'a dot segment' },
  {
    pattern: dotsInDisguise(),
    what: 'a dot segment in characters that compatibility mappings turn into dots and slashes',
  },
  { pattern: /%2e/iu, what: 'an escaped dot, which is a dot segment to some servers' },
  { pattern: /%25(?:2e|2f|5c|00)/iu, what: 'a double escape of a dot, slash or backslash' },
  { pattern: /%(?:c[01]%[89ab]|e0%[89]|f0%8)/iu, what: 'an overlong UTF-8 sequence' },
];

/**
 * FULLWIDTH, SMALL and LEADER dots, FULLWIDTH, FRACTION and DIVISION slashes. Attack: "WorstFit" (Tsai and Huang 2025),
 * NFKC.
 */
function dotsInDisguise(): RegExp {
  const dot = '(?:\\.|%ef%bc%8e|%ef%b9%92|%e2%80%a4)';
  const slash = '(?:/|%2f|%ef%bc%8f|%ef%bc%bc|%e2%81%84|%e2%88%95)';
  return new RegExp(`(?:^|${slash})(?:${dot}{1,2}|%e2%80%a5)(?:${slash}|;|%3b|$)`, 'iu');
}

/** Returns the reason that a path (without query) must not be relayed, or undefined. */
export function pathProblem(path: string): string | undefined {
  return ambiguous.find(({ pattern }) => pattern.test(path))?.what;
}

/**
 * Returns every way in which servers read a path with an escaped slash (`/@types%2fnode`) or with parameters
 * (`/admin;x/users`). Both are common, so every reading is decided, and the strictest answer counts.
 */
export function readingsOf(path: string): readonly string[] {
  if (!/;|%3b|%2f/iu.test(path)) return [path];
  const decoded = path.replaceAll(/%2f/giu, '/');
  return [...new Set([path, decoded, bare(path), bare(decoded)])];
}

/** Some clients send raw UTF-8. Servers read its escaped form as the same path, and rules can match that form. */
export function escapeHighBytes(target: string): string {
  return target.replaceAll(
    /[\u0080-\u00ff]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function bare(path: string): string {
  return path.replaceAll(/(?:;|%3b)[^/]*/giu, '');
}
