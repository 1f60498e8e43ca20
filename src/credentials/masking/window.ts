/**
 * Bytes before the undecided ones that are searched again. They have room for three characters, each as `\u0041`, and
 * half an escape. Three characters are too few to be kept back, but may begin a hit, or share a base64 group with bytes
 * that are kept.
 */
const lookedAtAgain = 24;

/** Bytes of a stream, with their offset in it. */
export interface StreamPart {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** A window on a stream: bytes that are searched together with earlier bytes that may belong to the same hit. */
export interface StreamWindow {
  /** Returns the bytes kept from before and then the new bytes, which begin at `added`. */
  add(chunk: Buffer): StreamPart & { readonly added: number };
  /**
   * Takes all remaining bytes except the last `undecided` ones. Callers must not overwrite the result, because it will
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
