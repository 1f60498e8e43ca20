/** Finds the ends of lines, which are LF, CR LF or CR: WHATWG HTML §9.2.5. Places that are asked for only go forward. */
export interface LineBreaks {
  /** Where the first break at or after a place begins; the length of the text where there is none. */
  next(at: number): number;
  /** Where the line after a break begins. */
  after(at: number): number;
}

export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;

/** Each character is looked at twice at most: a search for one kind of break is not done again while its last find lies ahead. */
export function lineBreaksOf(text: string): LineBreaks {
  const find = (mark: string, at: number): number => {
    const found = text.indexOf(mark, at);
    return found < 0 ? text.length : found;
  };
  let feed = find('\n', 0);
  let back = find('\r', 0);

  return {
    next(at) {
      if (feed < at) feed = find('\n', at);
      if (back < at) back = find('\r', at);
      return feed < back ? feed : back;
    },
    after: (at) => (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1),
  };
}
