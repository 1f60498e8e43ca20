/**
 * Cuts a TCP byte stream into DNS messages, each after two bytes of length (RFC 1035 §4.2.2). Keeps at most one
 * message.
 */
export interface DnsFrameReader {
  /** Returns the complete messages, or `oversize` as soon as one announces more than the limit. */
  push(chunk: Buffer): readonly Buffer[] | 'oversize';
  /** Returns true if the stream is between two messages. */
  isEmpty(): boolean;
}

export function createDnsReader(limit: number): DnsFrameReader {
  let rest: Buffer = Buffer.alloc(0);
  const push = (chunk: Buffer): readonly Buffer[] | 'oversize' => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Buffer[] = [];
    let at = 0;
    while (at + 2 <= bytes.length) {
      const length = bytes.readUInt16BE(at);
      if (length > limit) return 'oversize';
      if (at + 2 + length > bytes.length) break;
      frames.push(bytes.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    // A copy, because a slice would keep the whole chunk alive for a few bytes.
    rest = Buffer.from(bytes.subarray(at));
    return frames;
  };
  return { push, isEmpty: () => rest.length === 0 };
}

/** Returns a message in its form for TCP. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(2 + message.length);
  framed.writeUInt16BE(message.length, 0);
  framed.set(message, 2);
  return framed;
}
