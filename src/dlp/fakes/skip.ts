/** ASCII code units, and pairs of them, that can begin a fake: 1 for each that can, otherwise 0. */
export interface Begins {
  /** By code unit. */
  readonly first: Uint8Array;
  /** By 128 times the first unit plus the second. */
  readonly pairs: Uint8Array;
}

const units = 128;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns the offset, from `from` on, of the first unit that may begin a fake, judging by that unit and the next.
 * Returns the length of the text if there is no such unit.
 */
export function skipText(text: string, from: number, begins: Begins): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if ((begins.first[unit] ?? 0) === 1 && mayGoOn(unit, text.charCodeAt(at + 1), begins)) return at;
  }
  return text.length;
}

/** The same for a JSON string. Also stops at quotes and backslashes. */
export function skipString(text: string, from: number, begins: Begins): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote || unit === backslash) return at;
    if ((begins.first[unit] ?? 0) === 0) continue;
    const second = text.charCodeAt(at + 1);
    if (second === backslash || mayGoOn(unit, second, begins)) return at;
  }
  return text.length;
}

/** `second` is NaN at the end of the text. */
function mayGoOn(unit: number, second: number, { pairs }: Begins): boolean {
  return second < units ? pairs[unit * units + second] === 1 : Number.isNaN(second);
}
