import type { Label, Step } from '../assemble.ts';

/** The numbers from `from` up to the next segment all go to `label`. */
export interface Segment {
  readonly from: number;
  readonly label: Label;
}

/** A binary search over the number in the accumulator. The first segment must begin at 0. */
export function searchNumber(segments: readonly Segment[]): readonly Step[] {
  if (segments.length <= 1) return [];
  const half = segments.length >> 1;
  const low = segments.slice(0, half);
  const high = segments.slice(half);
  return [
    { kind: 'label', label: entryOf(segments) },
    { kind: 'branch', test: 'at-least', value: firstOf(high).from, yes: entryOf(high), no: entryOf(low) },
    ...searchNumber(low),
    ...searchNumber(high),
  ];
}

function entryOf(segments: readonly Segment[]): Label {
  const first = firstOf(segments);
  return segments.length === 1 ? first.label : `search:${first.from}+${segments.length}`;
}

function firstOf(segments: readonly Segment[]): Segment {
  return segments[0] as Segment;
}
