/** Bytes of something that is not all there. */
export interface ByteHold {
  readonly length: number;
  add(bytes: Buffer): void;
  /** All of them. Nothing is held afterwards. */
  take(): Buffer;
}

const smallest = 256;

/** Copies what it is given: chunks of one octet must not cost an object each. Never has room for more than twice of what it holds, or for 256 octets. */
export function createByteHold(): ByteHold {
  let room = Buffer.alloc(0);
  let length = 0;

  const grow = (needed: number): void => {
    const larger = Buffer.allocUnsafe(Math.max(smallest, needed, room.length * 2));
    room.copy(larger, 0, 0, length);
    room = larger;
  };

  return {
    get length() {
      return length;
    },
    add(bytes) {
      if (length + bytes.length > room.length) grow(length + bytes.length);
      bytes.copy(room, length);
      length += bytes.length;
    },
    take() {
      const all = room.subarray(0, length);
      room = Buffer.alloc(0);
      length = 0;
      return all;
    },
  };
}
