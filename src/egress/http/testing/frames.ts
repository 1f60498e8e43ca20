import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

/** Frame types of RFC 9113 §6. */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;
export const flags = { endStream: 1, endHeaders: 4, ack: 1 } as const;

export interface FrameParts {
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Buffer;
  /** The stated length of the frame, where it differs from the real one. */
  readonly length?: number;
}

/** One frame of HTTP/2, valid or not. */
export function frame(
  type: number,
  { flags: set = 0, stream = 0, payload = Buffer.alloc(0), length = payload.length }: FrameParts = {},
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = set;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field as a literal that is not indexed, without Huffman coding: RFC 7541 §6.2.2. */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0), text(name), text(value)]);
}

export const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frameTypes.settings)]);

/** The fields of a GET of `/`. */
export function request(authority: string, ...more: readonly Buffer[]): Buffer {
  return Buffer.concat([
    literal(':method', 'GET'),
    literal(':scheme', 'https'),
    literal(':path', '/'),
    literal(':authority', authority),
    ...more,
  ]);
}

/** An HTTP/2 connection that sends raw bytes. */
export async function rawHttp2(port: number): Promise<TLSSocket> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: 'api.test',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined);
  socket.write(preface);
  return socket;
}

export interface Received {
  readonly types: readonly number[];
  readonly isClosed: boolean;
}

/**
 * Received frames, until the connection ends or a frame of one of the types `until` comes. Then it closes the
 * connection.
 */
export async function framesOf(socket: Socket, ...until: readonly number[]): Promise<Received> {
  const received = await receive(socket, until);
  socket.destroy();
  return received;
}

/** A question whose answer follows the answers to everything sent before it: RFC 9113 §6.7. */
export const ping = frame(frameTypes.ping, { payload: Buffer.from('in order') });

/** Waits until the other side has read all sent bytes, or has closed. */
export async function processed(socket: Socket): Promise<Received> {
  socket.write(ping);
  return await receive(socket, [frameTypes.ping]);
}

function receive(socket: Socket, until: readonly number[]): Promise<Received> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (isClosed: boolean): void => {
      socket.off('data', onData).off('close', onClose);
      resolve({ types: typesIn(bytes), isClosed });
    };
    const onClose = (): void => settle(true);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (typesIn(bytes).some((type) => until.includes(type))) settle(false);
    };
    socket.on('data', onData).on('close', onClose);
  });
}

/** The types of the available frames. The last may be incomplete. */
export function typesIn(bytes: Buffer): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) types.push(bytes[at + 3] ?? -1);
  return types;
}

/** A string of at most 2^14 bytes with its length as an HPACK integer with a prefix of seven bits. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes]);
  const rest = bytes.length - 127;
  return Buffer.concat([rest < 128 ? Buffer.of(127, rest) : Buffer.of(127, (rest & 127) | 128, rest >> 7), bytes]);
}
