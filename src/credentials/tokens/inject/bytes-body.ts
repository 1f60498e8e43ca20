import { type Body, bodyFrom } from '../../../egress/index.ts';

/** A body that is there already. */
export function bytesBody(bytes: Buffer): Body {
  async function* once(): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  return bodyFrom(once(), { length: bytes.length });
}

/** A body as a whole. Rejects when it breaks off, and with a `RangeError` when it has more bytes than `limit`. */
export async function readBytes(body: Body | undefined, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) throw new RangeError('The content is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
