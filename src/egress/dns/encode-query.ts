import { classInternet, headerLength } from './constants.ts';
import { writeName } from './wire-name.ts';

export interface OutgoingQuery {
  readonly id: number;
  /** May have letters of both cases. */
  readonly name: string;
  readonly type: number;
}

/** A query for a recursive server; undefined for what is no name. */
export function encodeQuery({ id, name, type }: OutgoingQuery): Buffer | undefined {
  const wire = writeName(name);
  if (wire === undefined) return undefined;
  const packet = Buffer.alloc(headerLength + wire.length + 4);
  packet.writeUInt16BE(id, 0);
  packet.writeUInt16BE(0x0100, 2);
  packet.writeUInt16BE(1, 4);
  packet.set(wire, headerLength);
  packet.writeUInt16BE(type, headerLength + wire.length);
  packet.writeUInt16BE(classInternet, headerLength + wire.length + 2);
  return packet;
}
