import { randomBytes } from 'node:crypto';
import { opcodes, type Opcode } from './frame-head.ts';
import { unmask } from './unmask.ts';

/** Who hears it: frames to a server are masked. */
export type Receiver = 'client' | 'server';

export interface Frame {
  readonly opcode: Opcode;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** One frame, to be written at once. Source: RFC 6455 §5.2, and §5.3 for masks that nobody can foresee. */
export function writeFrame({ opcode, isFinal, payload }: Frame, to: Receiver): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const length = lengthOctets(payload.length);
  if (to === 'client') return Buffer.concat([Buffer.from([first]), length, payload]);
  length[0] = (length[0] ?? 0) | 0x80;
  const mask = randomBytes(4);
  return Buffer.concat([Buffer.from([first]), length, mask, unmask(payload, { mask, at: 0 })]);
}

/** Ends a WebSocket for a reason that its other end is told. `reason` has at most 123 octets. Source: RFC 6455 §5.5.1. */
export function closeFrame({ status, reason }: { readonly status: number; readonly reason: string }, to: Receiver): Buffer {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(status);
  return writeFrame({ opcode: opcodes.close, isFinal: true, payload: Buffer.concat([code, Buffer.from(reason)]) }, to);
}

function lengthOctets(length: number): Buffer {
  if (length < 126) return Buffer.from([length]);
  const octets = Buffer.alloc(length < 0x1_00_00 ? 3 : 9);
  if (octets.length === 3) octets.writeUInt16BE(length, 1);
  else octets.writeBigUInt64BE(BigInt(length), 1);
  octets[0] = octets.length === 3 ? 126 : 127;
  return octets;
}
