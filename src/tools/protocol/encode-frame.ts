import { headerLength } from './limits.ts';
import type { FromHost, ToHost } from './messages.ts';

export function encodeFrame(message: ToHost | FromHost): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(headerLength);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}
