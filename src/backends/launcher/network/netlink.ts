/** Builds netlink messages: include/uapi/linux/netlink.h. Numbers of the header are in the machine's order, which is little-endian on every supported one. */

export const netlinkFlags = { request: 1, acknowledge: 4, create: 0x400, append: 0x800 } as const;

export interface MessageOptions {
  readonly type: number;
  readonly flags: number;
  readonly sequence?: number;
}

/** One message with its header, padded to four bytes. */
export function netlinkMessage({ type, flags, sequence }: MessageOptions, ...payload: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(payload);
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeUInt16LE(type, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt32LE(sequence ?? 0, 8);
  return padded(Buffer.concat([head, body]));
}

const nested = 0x8000;

/** One attribute, padded to four bytes. */
export function attribute(type: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(4 + value.length, 0);
  head.writeUInt16LE(type, 2);
  return padded(Buffer.concat([head, value]));
}

export function nest(type: number, ...attributes: readonly Uint8Array[]): Buffer {
  return attribute(type | nested, Buffer.concat(attributes));
}

export function textAttribute(type: number, text: string): Buffer {
  return attribute(type, Buffer.from(`${text}\0`, 'latin1'));
}

/** Netfilter's numbers are in network order. */
export function bigEndianAttribute(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return attribute(type, bytes);
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % 4;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)]);
}
