/** Reads the length-prefixed fields of TLS. A field that does not fit is undefined, and so is everything after it. */
export interface ByteReader {
  /** The next `count` bytes, a view. */
  take(count: number): Uint8Array | undefined;
  /** An unsigned number of `count` bytes, most significant first. */
  number(count: 1 | 2 | 3): number | undefined;
  /** A field whose length stands before it in `lengthBytes` bytes. */
  vector(lengthBytes: 1 | 2): Uint8Array | undefined;
  left(): number;
}

export function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0;
  const take = (count: number): Uint8Array | undefined => {
    if (bytes.length - at < count) {
      at = bytes.length + 1;
      return undefined;
    }
    at += count;
    return bytes.subarray(at - count, at);
  };
  const number = (count: 1 | 2 | 3): number | undefined => take(count)?.reduce((value, byte) => value * 256 + byte, 0);
  const vector = (lengthBytes: 1 | 2): Uint8Array | undefined => {
    const length = number(lengthBytes);
    return length === undefined ? undefined : take(length);
  };
  return { take, number, vector, left: () => bytes.length - at };
}
