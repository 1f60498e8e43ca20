import type { ParsedPrefix, Parser } from '../refusals.ts';

/** What a parser says when the bytes come one after the other, and how many it had seen by then. */
export function byteByByte<Value>(
  parser: Parser<Value>,
  bytes: Buffer,
): { readonly parsed: ParsedPrefix<Value>; readonly seen: number } {
  for (let seen = 1; seen < bytes.length; seen += 1) {
    const parsed = parser(bytes.subarray(0, seen));
    if (parsed.kind !== 'incomplete') return { parsed, seen };
  }
  return { parsed: parser(bytes), seen: bytes.length };
}
