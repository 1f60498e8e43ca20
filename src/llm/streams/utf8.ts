import type { StreamEditor } from '../types.ts';

const replacement = '\ufffd';

/**
 * Returns the text of bytes that are valid UTF-8. Encoding it gives exactly the same bytes. Keeps a byte order mark.
 */
export function utf8Text(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // The bytes may really contain the replacement character. For a stream of invalid bytes, comparing is cheaper than a
  // decoder that throws.
  return text.includes(replacement) && !Buffer.from(text).equals(bytes) ? undefined : text;
}

/** Returns true if text that was read as Latin-1 is all ASCII. */
export function isAscii(latin1: string): boolean {
  return Buffer.byteLength(latin1) === latin1.length;
}

const mark = Buffer.from('\ufeff');

/**
 * Passes a byte order mark at the beginning of a stream unchanged, because it is not part of the text (WHATWG Encoding
 * §6, "UTF-8 decode").
 */
export function besideByteOrderMark(editor: StreamEditor): StreamEditor {
  let begun: Buffer | undefined = Buffer.alloc(0);

  const begin = (first: Buffer): Buffer => {
    const length = Math.min(first.length, mark.length);
    const isLikeMark = first.subarray(0, length).equals(mark.subarray(0, length));
    begun = isLikeMark && length < mark.length ? first : undefined;
    if (begun !== undefined) return Buffer.alloc(0);
    return isLikeMark ? Buffer.concat([mark, editor.push(first.subarray(length))]) : editor.push(first);
  };

  return {
    push: (bytes) =>
      begun === undefined ? editor.push(bytes) : begin(begun.length === 0 ? bytes : Buffer.concat([begun, bytes])),
    end: () =>
      begun === undefined || begun.length === 0 ? editor.end() : Buffer.concat([editor.push(begun), editor.end()]),
  };
}
