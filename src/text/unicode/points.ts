/** Larger than every code point. It stands for the start or the end of the text. */
export const noPoint = -1;

/** Returns the code point that ends before `at`. */
export function pointBefore(text: string, at: number): number {
  if (at <= 0) return noPoint;
  const unit = text.charCodeAt(at - 1);
  if (unit >>> 10 !== 0x37 || at < 2) return unit;
  const high = text.charCodeAt(at - 2);
  return high >>> 10 === 0x36 ? joinSurrogates(high, unit) : unit;
}

/** Returns the code point that starts at `at`. */
export function pointAt(text: string, at: number): number {
  return text.codePointAt(at) ?? noPoint;
}

/** Returns the number of UTF-16 code units of a code point. */
export function unitsOf(point: number): number {
  return point > 0xffff ? 2 : 1;
}

export function joinSurrogates(high: number, low: number): number {
  return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
}

/** Returns a name such as `U+200B`. */
export function pointName(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
