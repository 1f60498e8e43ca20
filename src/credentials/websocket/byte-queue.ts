/** Bytes that came in chunks and wait for those that belong to them. */
export interface ByteQueue {
  readonly length: number;
  add(chunk: Buffer): void;
  /** The first bytes, as many as there are of `count`, which stay in it. */
  peek(count: number): Buffer;
  /** Takes the first bytes out, as many as there are of `count`. */
  take(count: number): Buffer;
}

/** Each byte is copied at most once however small the chunks are. */
export function createByteQueue(): ByteQueue {
  let chunks: Buffer[] = [];
  let length = 0;

  const first = (count: number): readonly Buffer[] => {
    const parts: Buffer[] = [];
    let left = count;
    for (const chunk of chunks) {
      if (left <= 0) break;
      parts.push(chunk.subarray(0, left));
      left -= chunk.length;
    }
    return parts;
  };

  return {
    get length() {
      return length;
    },
    add(chunk) {
      if (chunk.length === 0) return;
      chunks.push(chunk);
      length += chunk.length;
    },
    peek: (count) => joined(first(count)),
    take(count) {
      const parts = first(count);
      const taken = joined(parts);
      const last = chunks[parts.length - 1];
      const cut = parts.at(-1);
      const rest = last !== undefined && cut !== undefined && cut.length < last.length ? [last.subarray(cut.length)] : [];
      chunks = [...rest, ...chunks.slice(parts.length)];
      length -= taken.length;
      return taken;
    },
  };
}

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
