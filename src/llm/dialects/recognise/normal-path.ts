const rounds = 4;

/**
 * Returns the segments of a path as the most lenient server would read it, in the original case. Decodes percent
 * escapes (also double ones) and backslashes, drops empty segments, `.`, `..` and parameters after `;`, and cuts at a
 * NUL. A path that only some servers read as a call therefore counts as a call to all of them.
 */
export function normalPath(path: string): readonly string[] {
  const decoded = decode(path.replace(/^[a-z][a-z\d+.-]{0,30}:\/\/[^/?#]*/iu, ''));
  const kept: string[] = [];
  for (const raw of decoded.replaceAll('\\', '/').split('/')) {
    const segment = (raw.split(';', 1)[0] ?? '').trim();
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return kept;
}

/** Removes the query, and does so again after each round, because an escape may hide one. */
function decode(path: string): string {
  let text = untilQuery(path);
  for (let round = 0; round < rounds && text.includes('%'); round++) {
    text = untilQuery(
      text.replace(/%([0-7][\da-f])/giu, (_escape, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    );
  }
  return text;
}

function untilQuery(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a NUL ends a path for servers written in C.
  const end = text.search(/[?#\u0000]/u);
  return end < 0 ? text : text.slice(0, end);
}
