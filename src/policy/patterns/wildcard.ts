/** A text with `*` (any run of characters) and `?` (any one character); `\` makes the next character literal. */
export interface Wildcard {
  readonly source: string;
  /** The text itself if it has no wildcards. Matching is then a comparison. */
  readonly literal?: string;
  /** UTF-16 units, or one of the two negative marks. Used only if there are wildcards. */
  readonly units: readonly number[];
}

const anyRun = -1;
const anyOne = -2;
const backslash = 0x5c;
const nothing: readonly number[] = [];
const marks: ReadonlyMap<number, number> = new Map([
  [0x2a, anyRun],
  [0x3f, anyOne],
]);

/** A single trailing backslash is literal. */
export function compileWildcard(source: string): Wildcard {
  if (!/[\\*?]/.test(source)) return { source, literal: source, units: nothing };
  const units: number[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const isEscaped = source.charCodeAt(at) === backslash && at + 1 < source.length;
    if (isEscaped) at += 1;
    const unit = source.charCodeAt(at);
    units.push(isEscaped ? unit : (marks.get(unit) ?? unit));
  }
  return units.some((unit) => unit < 0) ? { source, units } : { source, literal: textOf(units), units: nothing };
}

/** Linear in the text for one `*`, and never worse than text × pattern, so hostile patterns stay cheap. */
export function matchesWildcard({ literal, units }: Wildcard, text: string): boolean {
  if (literal !== undefined) return literal === text;
  let at = 0;
  let unit = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = units[unit];
    if (wanted === anyRun) {
      star = unit;
      unit += 1;
      resume = at;
    } else if (wanted === anyOne) {
      at += widthAt(text, at);
      unit += 1;
    } else if (wanted === text.charCodeAt(at)) {
      at += 1;
      unit += 1;
    } else if (star >= 0) {
      unit = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (units[unit] === anyRun) unit += 1;
  return unit === units.length;
}

/** Whether a pattern matches the whole text. Only `*` is special: any run of characters. */
export function matchesStars(pattern: string, text: string): boolean {
  return matchesWildcard(compileWildcard(pattern.replaceAll(/[\\?]/gu, String.raw`\$&`)), text);
}

/** Returns a matcher for a pattern, compiled once. */
export function wildcardMatcher(source: string): (text: string) => boolean {
  const wildcard = compileWildcard(source);
  return (text) => matchesWildcard(wildcard, text);
}

/** Whether the text contains characters that a pattern would not read literally. */
export function hasWildcard(source: string): boolean {
  return compileWildcard(source).literal === undefined;
}

/** Returns the pattern that matches exactly this text. */
export function escapeWildcard(text: string): string {
  return text.replaceAll(/[\\*?]/g, '\\$&');
}

function textOf(units: readonly number[]): string {
  return units.map((unit) => String.fromCharCode(unit)).join('');
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Returns a name as a case-insensitive file system compares it. `ſ` (U+017F) is folded by hand: it is already lower
 * case, but equals `s` there. `K` (U+212A) becomes `k` by itself.
 */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes('\u017f') ? lower.replaceAll('\u017f', 's') : lower;
}
