/** What goes on of a chunk. */
export interface Output {
  readonly chunk: Buffer;
  /** Puts bytes in the place of those from `start` to `end`. Places only go forward. */
  replace(start: number, end: number, bytes: Buffer): void;
  /** The chunk itself where nothing was replaced. */
  bytes(): Buffer;
}

/** Copies nothing where nothing is replaced, and what goes on once where something is. */
export function createOutput(chunk: Buffer): Output {
  const parts: Buffer[] = [];
  let copied = 0;

  const add = (bytes: Buffer): void => {
    if (bytes.length > 0) parts.push(bytes);
  };

  return {
    chunk,
    replace(start, end, bytes) {
      add(chunk.subarray(copied, start));
      add(bytes);
      copied = end;
    },
    bytes() {
      if (copied === 0 && parts.length === 0) return chunk;
      add(chunk.subarray(copied));
      copied = chunk.length;
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    },
  };
}
