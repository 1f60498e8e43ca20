/**
 * Bytes before the undecided ones that are searched again. They hold three characters, each as `\u0041`, and half an
 * escape. Three characters are too few to be kept back, or share a group of base64 with kept ones.
 */
const lookedAtAgain = 24;

/** Bytes of a stream, with their offset in it. */
export interface StreamPart {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** Bytes of a stream that are searched together, with earlier bytes that may belong to the same find. */
export interface StreamWindow {
  /** Returns kept bytes, followed by the new bytes from `added` on. */
  add(chunk: Buffer): StreamPart & { readonly added: number };
  /**
   * Takes all remaining bytes except the last `undecided` ones. Callers must not write into the result, because it will
   * be searched again.
   */
  take(undecided: number): StreamPart;
  /** Takes all remaining bytes. The last `undecided` ones will be searched again together with the next chunk. */
  takeAll(undecided: number): StreamPart;
}

/** Creates a window for one stream. */
export function createWindow(): StreamWindow {
  let bytes: Buffer = Buffer.alloc(0);
  let offset = 0;
  let taken = 0;
  const takeUpTo = (end: number, undecided: number): StreamPart => {
    const part = { bytes: bytes.subarray(taken - offset, Math.max(taken, end) - offset), offset: taken };
    taken += part.bytes.length;
    const whole = offset + bytes.length;
    const kept = Math.max(offset, whole - undecided - lookedAtAgain);
    bytes = bytes.subarray(kept - offset);
    offset = kept;
    return part;
  };
  return {
    add(chunk) {
      const added = offset + bytes.length;
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      return { bytes, offset, added };
    },
    take: (undecided) => takeUpTo(offset + bytes.length - undecided, undecided),
    takeAll: (undecided) => takeUpTo(offset + bytes.length, undecided),
  };
}
