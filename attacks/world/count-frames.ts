import type { Duplex } from 'node:stream';
import type { Log } from './log.ts';

const prefaceLength = 24;
const headLength = 9;
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

/** Greets as an HTTP/2 server, and finally prints the number of received frames of each type. */
export function countFrames(client: Duplex, log: Log): void {
  const counts = new Map<number, number>();
  let toSkip = prefaceLength;
  let held = Buffer.alloc(0);
  client.write(settings);
  client.on('error', () => client.destroy());
  client.on('data', (bytes: Buffer) => {
    const fresh = bytes.subarray(toSkip);
    toSkip -= bytes.length - fresh.length;
    const { types, rest } = framesIn(Buffer.concat([held, fresh]));
    for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
    held = Buffer.from(rest);
  });
  client.once('close', () => {
    for (const [type, count] of counts) log(`frames ${type} ${count}`);
  });
}

/** The types of all complete frames, and the remaining bytes. RFC 9113 §4.1. */
export function framesIn(bytes: Buffer): { readonly types: readonly number[]; readonly rest: Buffer } {
  const types: number[] = [];
  let at = 0;
  for (let end = endOf(bytes, at); end <= bytes.length; end = endOf(bytes, at)) {
    types.push(bytes[at + 3] ?? 0);
    at = end;
  }
  return { types, rest: bytes.subarray(at) };
}

function endOf(bytes: Buffer, at: number): number {
  return bytes.length < at + headLength ? Infinity : at + headLength + bytes.readUIntBE(at, 3);
}
