import type { StreamEditor } from '../types.ts';

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
