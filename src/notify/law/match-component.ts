/**
 * Whether a pattern of `*` and `?` is a whole name, as the launcher compares: without regard to ASCII case, and `?` is one character of
 * UTF-8. Both are bytes as latin1. Linear in the name for each `*`.
 */
export function matchComponent(pattern: string, name: string): boolean {
  let [at, next, star, retry] = [0, 0, -1, 0];
  while (next < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      retry = next;
    } else if (at < pattern.length && (pattern[at] === '?' || lower(pattern.charCodeAt(at)) === lower(name.charCodeAt(next)))) {
      next += 1;
      if (pattern[at] === '?') while (isContinuation(name.charCodeAt(next))) next += 1;
      at += 1;
    } else if (star >= 0) {
      at = star + 1;
      next = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

/** `NaN` beyond the end is none. */
function isContinuation(code: number): boolean {
  return (code & 0xc0) === 0x80;
}
