/** The four octets of a mask, and where in the payload the bytes begin that it is for. */
export interface Mask {
  readonly mask: Buffer;
  readonly at: number;
}

/** Masks and unmasks, which is the same; the bytes that are given stay as they are. Source: RFC 6455 §5.3. */
export function unmask(bytes: Buffer, { mask, at }: Mask): Buffer {
  const result = Buffer.allocUnsafe(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) result[index] = (bytes[index] ?? 0) ^ (mask[(at + index) & 3] ?? 0);
  return result;
}
