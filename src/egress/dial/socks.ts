import type { Socket } from 'node:net';
import { normaliseHost } from '../../policy/index.ts';
import type { Destination } from '../types.ts';
import type { ProxyAnswer } from './http-connect.ts';
import type { UpstreamProxy } from './parse-proxy.ts';
import { type Finder, readUntil } from './read-until.ts';

/** Replies of RFC 1928 §6. */
const replies: readonly string[] = ['', 'failed', 'does not allow it', 'has no network there', 'cannot reach it', 'was refused there', 'got no answer in time', 'does not know the command', 'does not know this kind of address'];

const methods = { none: 0, password: 2, noneFits: 0xff };
/** No message of the protocol is longer: 4 bytes, a name of 255 with its length, a port. */
const longest = 262;

/** Asks a SOCKS5 proxy for a connection (RFC 1928), with a user and password if there are some (RFC 1929). */
export async function socksConnect(socket: Socket, target: Destination, proxy: UpstreamProxy): Promise<ProxyAnswer> {
  const credentials = proxy.credentials();
  socket.write(credentials === undefined ? Buffer.from([5, 1, methods.none]) : Buffer.from([5, 2, methods.none, methods.password]));
  const method = await exchange(socket, findPair(5));
  if (method === undefined) return { kind: 'protocol', reason: 'does not speak SOCKS5' };
  if (method === methods.password && credentials !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(credentials.user), counted(credentials.password)]));
    if ((await exchange(socket, findPair(1))) !== 0) return refusedCredentials(proxy);
  } else if (method !== methods.none) return refusedCredentials(proxy);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(target.host), Buffer.from([target.port >> 8, target.port & 0xff])]));
  const read = await readUntil(socket, longest, findReply);
  if (read.kind !== 'done') return { kind: 'protocol', reason: read.kind === 'ended' ? 'closed the connection without an answer' : 'sent an answer that is not SOCKS5' };
  if (read.result === 0) return { kind: 'open', rest: read.rest };
  return { kind: 'refused', reason: `${replies[read.result] ?? 'failed'} (SOCKS reply ${read.result})`, remedy: 'see whether the service is up, or ask whoever runs the proxy' };
}

/** Whatever follows is not due yet, and nothing that a proxy should send. */
async function exchange(socket: Socket, find: Finder<number>): Promise<number | undefined> {
  const read = await readUntil(socket, longest, find);
  return read.kind === 'done' && read.rest.length === 0 ? read.result : undefined;
}

function findPair(version: number): Finder<number> {
  return (bytes) => {
    if (bytes[0] !== version) return 'malformed';
    return bytes[1] === undefined ? undefined : { result: bytes[1], end: 2 };
  };
}

const findReply: Finder<number> = (bytes) => {
  const [version, reply, reserved = 0, type] = bytes;
  if (version !== 5 || reserved !== 0) return 'malformed';
  if (reply === undefined || type === undefined) return undefined;
  const length = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? 1 + (bytes[4] ?? 255) : undefined;
  if (length === undefined) return 'malformed';
  return bytes.length < 4 + length + 2 ? undefined : { result: reply, end: 4 + length + 2 };
};

function addressOf(host: string): Buffer {
  const address = normaliseHost(host)?.address;
  if (address === undefined) return Buffer.concat([Buffer.from([3]), counted(host)]);
  if (address.kind === 'v4') return Buffer.from([1, ...[24, 16, 8, 0].map((shift) => (address.bits >>> shift) & 0xff)]);
  return Buffer.from([4, ...address.groups.flatMap((group) => [group >> 8, group & 0xff])]);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function refusedCredentials({ variable }: UpstreamProxy): ProxyAnswer {
  return { kind: 'refused', reason: 'wants other credentials', remedy: `write them into ${variable}, as socks5h://user:password@proxy` };
}
