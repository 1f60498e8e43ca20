import type { ParsedPrefix, Parser } from '../refusals.ts';

/** A parser's result when the bytes come one at a time, and the number of bytes that it needed. */
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
