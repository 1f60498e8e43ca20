import { createHash } from 'node:crypto';

/** A server's acceptance of a handshake. Source: RFC 6455 §4.2.2. */
export function acceptSocket(key: string): string {
  const accepted = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accepted}\r\n\r\n`;
}

/** The messages in a client's complete frames, and the remaining bytes. Source: RFC 6455 §5.2. */
export function payloadsIn(bytes: Buffer): { readonly payloads: readonly string[]; readonly rest: Buffer } {
  const payloads: string[] = [];
  let rest = bytes;
  for (let frame = firstFrame(rest); frame !== undefined; frame = firstFrame(rest)) {
    payloads.push(frame.payload);
    rest = rest.subarray(frame.length);
  }
  return { payloads, rest };
}

function firstFrame(bytes: Buffer): { readonly payload: string; readonly length: number } | undefined {
  const short = (bytes[1] ?? 0) & 127;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extended + 4;
  if (bytes.length < start) return undefined;
  const size = extended === 0 ? short : bytes.readUIntBE(2 + Math.max(0, extended - 6), Math.min(extended, 6));
  if (bytes.length < start + size) return undefined;
  const mask = bytes.subarray(start - 4, start);
  return {
    payload: Buffer.from(bytes.subarray(start, start + size).map((byte, at) => byte ^ (mask[at % 4] ?? 0))).toString(
      'latin1',
    ),
    length: start + size,
  };
}
