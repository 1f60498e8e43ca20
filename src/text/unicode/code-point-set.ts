/** Returns whether a code point is in a set of the tables. */
export type CodePointSet = (point: number) => boolean;

/** Parses a set in the form of the tables: hexadecimal code points and ranges, sorted. */
export function codePointSet(written: string): CodePointSet {
  const bounds = rangeBounds(written);
  return (point) => isWithin(bounds, point);
}

/**
 * Does the same with one bit for each code point of the first two planes. Fast enough to ask at every emoji of a text.
 */
export function densePointSet(written: string): CodePointSet {
  const bits = new Uint8Array(0x20000 >> 3);
  const bounds = rangeBounds(written);
  for (let index = 0; index < bounds.length; index += 2) {
    for (let point = bounds[index]!; point <= bounds[index + 1]!; point++) bits[point >> 3]! |= 1 << (point & 7);
  }
  return (point) => point >= 0 && ((bits[point >> 3] ?? 0) & (1 << (point & 7))) !== 0;
}

/** Returns first and last code point of each range, one after the other. */
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

/** Makes a value on first use: most runs of the command line never need the larger tables. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
