import type { TextFinding } from '../types.ts';
import type { HiddenKind } from '../unicode/classes.ts';
import { pointAt, pointName, unitsOf } from '../unicode/points.ts';
import { decodePayload } from './decode/decode-payload.ts';

/** Longer mixtures are told by how many characters follow. */
const mostPieces = 24;

export function describeRun(text: string, run: { readonly kind: HiddenKind; readonly start: number; readonly end: number }): TextFinding {
  const decoded = decodePayload(text.slice(run.start, run.end), run.kind);
  const finding = { kind: run.kind, start: run.start, end: run.end, what: nameRun(text, run.start, run.end) };
  return decoded === undefined ? finding : { ...finding, decoded };
}

/** `U+200B×3 U+200C`; beyond 24 pieces ` +12 more`. */
export function nameRun(text: string, start: number, end: number): string {
  const first = pointAt(text, start);
  if (start + unitsOf(first) === end) return pointName(first);
  const pieces: string[] = [];
  let at = start;
  while (at < end && pieces.length < mostPieces) {
    const point = pointAt(text, at);
    const size = unitsOf(point);
    let next = at + size;
    while (next < end && pointAt(text, next) === point) next += size;
    const count = (next - at) / size;
    pieces.push(count === 1 ? pointName(point) : `${pointName(point)}×${count}`);
    at = next;
  }
  return at < end ? `${pieces.join(' ')} +${countPoints(text, at, end)} more` : pieces.join(' ');
}

function countPoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += unitsOf(pointAt(text, at))) count++;
  return count;
}
