/** Returns whether a code point is in a set of the tables. */
export type CodePointSet = (point: number) => boolean;

/**
 * Reads a set in the form of the tables: hexadecimal code points and ranges, sorted. Parses it on first use, because
 * most runs of the command line ask about few sets.
 */
export function codePointSet(written: string): CodePointSet {
  let bounds: Uint32Array | undefined;
  return (point) => isWithin((bounds ??= rangeBounds(written)), point);
}

/**
 * The same, with one bit for each code point of the first two planes. It is fast enough to be asked about every emoji
 * of a text.
 */
export function densePointSet(written: string): CodePointSet {
  let bits: Uint8Array | undefined;
  return (point) => point >= 0 && (((bits ??= bitsOf(written))[point >> 3] ?? 0) & (1 << (point & 7))) !== 0;
}

function bitsOf(written: string): Uint8Array {
  const bits = new Uint8Array(0x20000 >> 3);
  const bounds = rangeBounds(written);
  for (let index = 0; index < bounds.length; index += 2) {
    for (let point = bounds[index]!; point <= bounds[index + 1]!; point++) bits[point >> 3]! |= 1 << (point & 7);
  }
  return bits;
}

/** Returns the first and last code point of each range, alternating. */
export function rangeBounds(written: string): Uint32Array {
  return Uint32Array.from(written.split(',').flatMap(boundsOfOne));
}

function boundsOfOne(part: string): readonly [number, number] {
  const [first = '', last = first] = part.split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

function isWithin(bounds: Uint32Array, point: number): boolean {
  let low = 0;
  let high = bounds.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > bounds[2 * middle + 1]!) low = middle + 1;
    else high = middle;
  }
  return low < bounds.length >> 1 && point >= bounds[2 * low]!;
}

/** Creates a value on first use, because most runs of the command line never need the larger tables. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
