/** Source: RFC 6455 §11.8. */
export const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;
export type MessageOpcode = (typeof opcodes)['text' | 'binary'];
export type ControlOpcode = (typeof opcodes)['close' | 'ping' | 'pong'];
export type Opcode = typeof opcodes.continuation | MessageOpcode | ControlOpcode;

export interface FrameHead {
  readonly opcode: Opcode;
  /** The last frame of its message. */
  readonly isFinal: boolean;
  /** Four octets. Absent if the payload is not masked. */
  readonly mask?: Buffer;
  /** Octets of the payload. */
  readonly length: number;
  /** Octets of the head itself. */
  readonly size: number;
}

/** Octets of the longest head. */
export const longestFrameHead = 14;
const longestControlPayload = 125;
const known: ReadonlySet<number> = new Set(Object.values(opcodes));

/**
 * Reads the head at the beginning of `bytes`. Undefined while it is incomplete. Throws `FrameViolation` if it breaks
 * RFC 6455 §5.2 or §5.5, or uses a bit of an extension, because none is ever negotiated.
 */
export function readFrameHead(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const opcode = opcodeOf(first);
  const isFinal = (first & 0x80) !== 0;
  if (isControl(opcode) && (!isFinal || (second & 0x7f) > longestControlPayload))
    throw new FrameViolation('A control frame is in pieces or too long.');
  const lengthSize = { 126: 2, 127: 8 }[second & 0x7f] ?? 0;
  const maskSize = (second & 0x80) === 0 ? 0 : 4;
  const size = 2 + lengthSize + maskSize;
  if (bytes.length < 2 + lengthSize) return undefined;
  const length = lengthOf(bytes, lengthSize);
  if (bytes.length < size) return undefined;
  return {
    opcode,
    isFinal,
    length,
    size,
    ...(maskSize === 0 ? {} : { mask: Buffer.from(bytes.subarray(size - maskSize, size)) }),
  };
}

export function isControl(opcode: Opcode): opcode is ControlOpcode {
  return opcode >= opcodes.close;
}

function opcodeOf(first: number): Opcode {
  const opcode = first & 0x0f;
  if ((first & 0x70) !== 0) throw new FrameViolation('A frame uses an extension that was not agreed on.');
  if (!known.has(opcode)) throw new FrameViolation('A frame has an unknown opcode.');
  return opcode as Opcode;
}

/** Requires the shortest encoding, as §5.2 does, because parsers may read a longer encoding differently. */
function lengthOf(bytes: Buffer, lengthSize: number): number {
  if (lengthSize === 0) return (bytes[1] ?? 0) & 0x7f;
  const length = lengthSize === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const isShortest = length > (lengthSize === 2 ? longestControlPayload : 0xffff);
  if (!isShortest || !Number.isSafeInteger(length)) throw new FrameViolation('The length of a frame is invalid.');
  return length;
}

/** Bytes that are not a valid WebSocket frame at this point. The bytes after them have no meaning. */
export class FrameViolation extends Error {
  override readonly name = 'FrameViolation';
}

/** The four octets of a mask, and the payload offset of the bytes to mask. */
interface Mask {
  readonly mask: Buffer;
  readonly at: number;
}

/** Masks or unmasks a copy of the bytes; both are the same operation. Source: RFC 6455 §5.3. */
export function unmask(bytes: Buffer, { mask, at }: Mask): Buffer {
  const result = Buffer.allocUnsafe(bytes.length);
  for (let index = 0; index < bytes.length; index += 1)
    result[index] = (bytes[index] ?? 0) ^ (mask[(at + index) & 3] ?? 0);
  return result;
}
