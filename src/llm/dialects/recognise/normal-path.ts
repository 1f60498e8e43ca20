const rounds = 4;

/**
 * The segments that a server may read a request's path as, in the case that they came. Every reading that any server might make is made:
 * percent escapes (also escaped again), backslashes, empty segments, `.` and `..`, parameters behind `;`, what stands before a NUL. So a
 * path that is spelled in a way that only some servers understand is a call for all of them.
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

/** The query goes first, and again after each round: what an escape hid may be one. */
function decode(path: string): string {
  let text = untilQuery(path);
  for (let round = 0; round < rounds && text.includes('%'); round++) {
    text = untilQuery(text.replace(/%([0-7][\da-f])/giu, (_escape, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))));
  }
  return text;
}

function untilQuery(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a NUL ends a path for servers written in C.
  const end = text.search(/[?#\u0000]/u);
  return end < 0 ? text : text.slice(0, end);
}
