/**
 * How many bytes before the undecided ones are looked at again: three characters, which are too few to be kept back, or
 * which share a group of base64 with what is, each as `\u0041`, and half an escape.
 */
const lookedAtAgain = 24;

/** Bytes of a stream, and where in it they begin. */
export interface StreamPart {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** The bytes of a stream that are looked at together, with those before them that may belong to what is found. */
export interface StreamWindow {
  /** What was kept, followed by the new bytes, which begin at `added`. */
  add(chunk: Buffer): StreamPart & { readonly added: number };
  /**
   * What has not been taken yet, but for the last `undecided` bytes. Not to be written to: it will be looked at again.
   */
  take(undecided: number): StreamPart;
  /** All that has not been taken yet. The last `undecided` bytes will be looked at together with what comes. */
  takeAll(undecided: number): StreamPart;
}

/** For one stream. */
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
