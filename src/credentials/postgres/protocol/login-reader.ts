import type { Readable } from 'node:stream';
import { byteSource } from '../../../egress/index.ts';
import { limits, type Message } from './types.ts';
import { ProtocolViolation } from './violation.ts';

/**
 * Reads messages one by one, while both sides wait for each other. Rejects when the stream breaks or ends, and on what
 * is no message.
 */
export interface LoginReader {
  /** What stands behind the length of a packet without a letter. */
  first(): Promise<Buffer>;
  /** One octet: the answer to a request for TLS. */
  octet(): Promise<number>;
  /** At most `most` octets behind the length. */
  next(most: number): Promise<Message>;
  /** Whether nothing has come that was not asked for. */
  isEmpty(): boolean;
  /** Gives the stream back with what was not read still in it. */
  detach(): void;
}

export function loginReader(stream: Readable): LoginReader {
  const source = byteSource(stream);
  let bytes: Buffer = Buffer.alloc(0);
  const take = async (count: number): Promise<Buffer> => {
    while (bytes.length < count) {
      const more = await source.read();
      if (more === undefined) throw new ProtocolViolation('it ended the connection');
      bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
    }
    const taken = bytes.subarray(0, count);
    bytes = bytes.subarray(count);
    return taken;
  };
  const rest = async (length: number, most: number): Promise<Buffer> => {
    if (length < 4 || length - 4 > most) throw new ProtocolViolation(`it sent a message with the length ${length}`);
    return take(length - 4);
  };
  return {
    first: async () => rest((await take(4)).readUInt32BE(0), limits.startup),
    octet: async () => (await take(1))[0] ?? 0,
    async next(most) {
      const head = await take(5);
      return { type: head[0] ?? 0, body: await rest(head.readUInt32BE(1), most) };
    },
    isEmpty: () => bytes.length === 0 && source.isEmpty(),
    detach() {
      source.unread(bytes);
      bytes = Buffer.alloc(0);
      source.detach();
    },
  };
}
