import type { StreamEditor } from '../types.ts';

const replacement = '\ufffd';

/**
 * The text of bytes that are UTF-8, and of no others: writing it gives the very same bytes. A byte order mark stays.
 */
export function utf8Text(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // The replacement character may also stand there itself. Comparing is cheaper than a decoder that throws, for a
  // stream of nothing but broken bytes.
  return text.includes(replacement) && !Buffer.from(text).equals(bytes) ? undefined : text;
}

/** Whether text that was read as Latin-1 has no other characters than those of ASCII. */
export function isAscii(latin1: string): boolean {
  return Buffer.byteLength(latin1) === latin1.length;
}

const mark = Buffer.from('\ufeff');

/**
 * The mark at the very beginning of a stream goes on as it is and is no part of the text: WHATWG Encoding §6, "UTF-8
 * decode".
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
