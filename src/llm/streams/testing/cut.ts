import * as fc from 'fast-check';
import type { StreamEditor } from '../../types.ts';

/** Bytes in pieces, which may be empty. */
export function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const sorted = [...places.map((place) => place % (bytes.length + 1)), 0, bytes.length].toSorted((a, b) => a - b);
  return sorted.slice(1).map((place, n) => bytes.subarray(sorted[n], place));
}

export function bytesOneByOne(bytes: Buffer): readonly Buffer[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}

export const places: fc.Arbitrary<readonly number[]> = fc.array(fc.nat({ max: 10_000 }), { maxLength: 12 });

export function pass(editor: StreamEditor, chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([...chunks.map((chunk) => editor.push(chunk)), editor.end()]);
}
