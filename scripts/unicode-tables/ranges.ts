/** First and last code point, both inclusive. */
export type CodePointRange = readonly [first: number, last: number];

/** `ad,34f,61c,115f-1160`: short, and a change of the data changes one line. */
export function renderRanges(ranges: readonly CodePointRange[]): string {
  return ranges.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`)).join(',');
}

/** Sorted, with adjacent ranges merged. */
export function unite(...sets: readonly (readonly CodePointRange[])[]): readonly CodePointRange[] {
  const sorted = sets.flat().toSorted((a, b) => a[0] - b[0]);
  const united: [number, number][] = [];
  for (const [first, last] of sorted) {
    const top = united.at(-1);
    if (top !== undefined && first <= top[1] + 1) top[1] = Math.max(top[1], last);
    else united.push([first, last]);
  }
  return united;
}

export function intersect(a: readonly CodePointRange[], b: readonly CodePointRange[]): readonly CodePointRange[] {
  return a.flatMap(([first, last]) =>
    b
      .filter((other) => other[0] <= last && other[1] >= first)
      .map((other): CodePointRange => [Math.max(first, other[0]), Math.min(last, other[1])]),
  );
}

/** The first set without the second. */
export function without(
  ranges: readonly CodePointRange[],
  taken: readonly CodePointRange[],
): readonly CodePointRange[] {
  const rest: CodePointRange[] = [];
  for (const [first, last] of ranges) {
    let from = first;
    for (const [takenFirst, takenLast] of taken) {
      if (takenLast < from || takenFirst > last) continue;
      if (takenFirst > from) rest.push([from, takenFirst - 1]);
      from = takenLast + 1;
    }
    if (from <= last) rest.push([from, last]);
  }
  return rest;
}

export function rangesOfPoints(points: Iterable<number>): readonly CodePointRange[] {
  return unite([...points].map((point): CodePointRange => [point, point]));
}

function hex(point: number): string {
  return point.toString(16);
}
