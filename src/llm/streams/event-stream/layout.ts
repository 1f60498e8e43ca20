import { crc32 } from 'node:zlib';

/** Octets of a message around its headers and payload. Source: https://smithy.io/2.0/aws/amazon-eventstream.html, "Message Format". */
export const preludeSize = 12;
const checksumSize = 4;
const smallestMessage = preludeSize + checksumSize;
/** The most that a service may send: 128 KiB of headers and 24 MiB of payload. */
export const largestMessage = smallestMessage + 128 * 1024 + 24 * 1024 * 1024;

/** Octets of the whole message that a prelude announces; undefined where its checksum is wrong or its lengths do not fit. */
export function readPrelude(prelude: Buffer): { readonly total: number; readonly headers: number } | undefined {
  const total = prelude.readUInt32BE(0);
  const headers = prelude.readUInt32BE(4);
  const isWhole = prelude.readUInt32BE(8) === crc32(prelude.subarray(0, 8)) && total >= smallestMessage && headers <= total - smallestMessage;
  return isWhole ? { total, headers } : undefined;
}

/** The parts of one whole message, not copied; undefined where a checksum or a length is wrong. */
export function splitMessage(message: Buffer): { readonly headers: Buffer; readonly payload: Buffer } | undefined {
  const prelude = message.length < smallestMessage ? undefined : readPrelude(message);
  const end = message.length - checksumSize;
  if (prelude?.total !== message.length || message.readUInt32BE(end) !== crc32(message.subarray(0, end))) return undefined;
  const middle = preludeSize + prelude.headers;
  return { headers: message.subarray(preludeSize, middle), payload: message.subarray(middle, end) };
}

export function joinMessage(headers: Buffer, payload: Buffer): Buffer {
  const message = Buffer.allocUnsafe(smallestMessage + headers.length + payload.length);
  const end = message.length - checksumSize;
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, preludeSize);
  payload.copy(message, preludeSize + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, end)), end);
  return message;
}
