import { connect, type Socket } from 'node:net';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { refuse } from '../ssrf/refuse.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { Destination, Refused } from '../types.ts';
import type { UpstreamProxy } from './proxy-settings.ts';

export interface TunnelOptions {
  readonly trust: () => UpstreamTrust;
  /** Aborts the attempt at any point. */
  readonly signal: AbortSignal;
}

/** A paused connection through a proxy. Bytes that the destination has already sent are put back. */
export interface Tunnel {
  readonly kind: 'open';
  readonly socket: Socket;
}

/** Connects to the proxy, which connects to the target. The proxy's name is the only one that Node looks up. */
export async function tunnel(
  proxy: UpstreamProxy,
  target: Destination,
  { trust, signal }: TunnelOptions,
): Promise<Tunnel | Refused> {
  const socket = connect({
    host: proxy.host,
    port: proxy.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    allowHalfOpen: true,
  });
  socket.pause();
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const opened = await open(socket, proxy, { target, trust });
    if (opened.kind === 'refused') stop();
    return opened;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function open(
  socket: Socket,
  proxy: UpstreamProxy,
  { target, trust }: { readonly target: Destination; readonly trust: () => UpstreamTrust },
): Promise<Tunnel | Refused> {
  const failure = await connected(socket);
  if (failure !== undefined)
    return refuse('unreachable', `the proxy ${nameOf(proxy)} cannot be reached (${failure})`, {
      remedy: `check that ${proxy.variable} names the right proxy, and that it is up`,
    });
  const carrier =
    proxy.protocol === 'https'
      ? await secureUpstream(socket, { host: proxy.host, alpn: ['http/1.1'], trust: trust() })
      : ({ kind: 'secured', socket } as const);
  if (carrier.kind === 'refused') return carrier;
  const answer = await (proxy.protocol === 'socks5' ? socksConnect : httpConnect)(carrier.socket, target, proxy);
  if (answer.kind !== 'open') return refusedBy(proxy, target, answer);
  if (answer.rest.length > 0) carrier.socket.unshift(answer.rest);
  return { kind: 'open', socket: carrier.socket };
}

/** Returns the errno name of a failure. Undefined after success. */
function connected(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(undefined));
    // This listener stays. Without it, a reset before the first reader attaches would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    socket.once('close', () => resolve('ECANCELED'));
  });
}

function refusedBy(proxy: UpstreamProxy, target: Destination, answer: Exclude<ProxyAnswer, { kind: 'open' }>): Refused {
  const subject = `the proxy ${nameOf(proxy)}, asked for ${target.host} port ${target.port},`;
  if (answer.kind === 'refused') return refuse('unreachable', `${subject} ${answer.reason}`, { remedy: answer.remedy });
  return refuse('upstream-protocol', `${subject} ${answer.reason}`, {
    remedy: `check that ${proxy.variable} names the right proxy`,
  });
}

/** Returns host and port, without credentials. */
function nameOf({ host, port }: UpstreamProxy): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Replies of RFC 1928 §6. */
const replies: readonly string[] = [
  '',
  'failed',
  'does not allow it',
  'has no network there',
  'cannot reach it',
  'was refused there',
  'got no answer in time',
  'does not know the command',
  'does not know this kind of address',
];

const methods = { none: 0, password: 2, noneFits: 0xff };
/** The longest message of the protocol: 4 bytes, a name of 255 bytes with its length, and a port. */
const longest = 262;

/** Asks a SOCKS5 proxy for a connection (RFC 1928), with user and password if set (RFC 1929). */
export async function socksConnect(socket: Socket, target: Destination, proxy: UpstreamProxy): Promise<ProxyAnswer> {
  const credentials = proxy.credentials();
  socket.write(
    credentials === undefined ? Buffer.from([5, 1, methods.none]) : Buffer.from([5, 2, methods.none, methods.password]),
  );
  const method = await exchange(socket, findPair(5));
  if (method === undefined) return { kind: 'protocol', reason: 'does not speak SOCKS5' };
  if (method === methods.password && credentials !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(credentials.user), counted(credentials.password)]));
    if ((await exchange(socket, findPair(1))) !== 0) return refusedCredentials(proxy);
  } else if (method !== methods.none) return refusedCredentials(proxy);
  socket.write(
    Buffer.concat([
      Buffer.from([5, 1, 0]),
      addressOf(target.host),
      Buffer.from([target.port >> 8, target.port & 0xff]),
    ]),
  );
  const read = await readUntil(socket, longest, findReply);
  if (read.kind !== 'done')
    return {
      kind: 'protocol',
      reason: read.kind === 'ended' ? 'closed the connection without an answer' : 'sent an answer that is not SOCKS5',
    };
  if (read.result === 0) return { kind: 'open', rest: read.rest };
  return {
    kind: 'refused',
    reason: `${replies[read.result] ?? 'failed'} (SOCKS reply ${read.result})`,
    remedy: 'check that the service is up, or ask the operator of the proxy',
  };
}

/** Sends a message and reads the reply. Refuses bytes after the reply, because a proxy must not send them yet. */
async function exchange(socket: Socket, find: MessageFinder<number>): Promise<number | undefined> {
  const read = await readUntil(socket, longest, find);
  return read.kind === 'done' && read.rest.length === 0 ? read.result : undefined;
}

function findPair(version: number): MessageFinder<number> {
  return (bytes) => {
    if (bytes[0] !== version) return 'malformed';
    return bytes[1] === undefined ? undefined : { result: bytes[1], end: 2 };
  };
}

const findReply: MessageFinder<number> = (bytes) => {
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
  return {
    kind: 'refused',
    reason: 'wants other credentials',
    remedy: `write them into ${variable}, as socks5h://user:password@proxy`,
  };
}

/** Answer of a proxy. `rest` holds bytes of the destination that arrived with it. */
type ProxyAnswer =
  | { readonly kind: 'open'; readonly rest: Buffer }
  | { readonly kind: 'refused'; readonly reason: string; readonly remedy: string }
  | { readonly kind: 'protocol'; readonly reason: string };

/** Node's own limit for the head of a message. */
const longestHead = 16_384;

/** Asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6). */
async function httpConnect(socket: Socket, target: Destination, proxy: UpstreamProxy): Promise<ProxyAnswer> {
  const authority = target.host.includes(':') ? `[${target.host}]:${target.port}` : `${target.host}:${target.port}`;
  const credentials = proxy.credentials();
  const authorization =
    credentials === undefined
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const read = await readUntil(socket, longestHead, findHead);
  switch (read.kind) {
    case 'done':
      return answerOf(read.result, read.rest, proxy);
    case 'ended':
      return { kind: 'protocol', reason: 'closed the connection without an answer' };
    case 'too long':
      return { kind: 'protocol', reason: `sent an answer whose head is longer than ${longestHead} bytes` };
    case 'malformed':
      return { kind: 'protocol', reason: 'sent an answer that is not HTTP' };
  }
}

/** Finds the status of a complete response head. Rejects anything that is not HTTP at its first bytes. */
const findHead: MessageFinder<number> = (bytes) => {
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, longestHead));
  if (!'HTTP/1.'.startsWith(text.slice(0, 7))) return 'malformed';
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return undefined;
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r?\n)/.exec(text)?.[1];
  return status === undefined ? 'malformed' : { result: Number(status), end: end.index + end[0].length };
};

function answerOf(status: number, rest: Buffer, { variable }: UpstreamProxy): ProxyAnswer {
  if (status >= 200 && status < 300) return { kind: 'open', rest };
  if (status === 407)
    return {
      kind: 'refused',
      reason: 'wants other credentials (407)',
      remedy: `write them into ${variable}, as http://user:password@proxy`,
    };
  if (status === 403 || status === 405)
    return {
      kind: 'refused',
      reason: `does not allow it (${status})`,
      remedy: `ask the operator of the proxy, or name the host in NO_PROXY if it can be reached directly`,
    };
  if (status === 502 || status === 503 || status === 504)
    return { kind: 'refused', reason: `cannot reach it (${status})`, remedy: 'see whether the service is up' };
  return { kind: 'refused', reason: `answered ${status}`, remedy: `check that ${variable} names a proxy` };
}

/** Result of reading: `done` with the bytes after the message, or the reason that no message came. */
type ReadOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result; readonly rest: Buffer }
  | { readonly kind: 'ended' }
  | { readonly kind: 'too long' }
  | { readonly kind: 'malformed' };

/** Finds a whole message at the start of the bytes: its end and its meaning. Undefined while it is incomplete. */
export type MessageFinder<Result> = (
  bytes: Buffer,
) => { readonly result: Result; readonly end: number } | 'malformed' | undefined;

/** Reads from a paused socket until a message is whole, and pauses it again. Keeps at most `limit` bytes. */
export function readUntil<Result>(
  socket: Socket,
  limit: number,
  find: MessageFinder<Result>,
): Promise<ReadOutcome<Result>> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const settle = (outcome: ReadOutcome<Result>): void => {
      socket.off('data', hear).off('end', end).off('close', end);
      socket.pause();
      resolve(outcome);
    };
    const end = (): void => settle({ kind: 'ended' });
    const hear = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const found = find(bytes);
      if (found === 'malformed') settle({ kind: 'malformed' });
      else if (found !== undefined) settle({ kind: 'done', result: found.result, rest: bytes.subarray(found.end) });
      else if (bytes.length > limit) settle({ kind: 'too long' });
    };
    socket.on('data', hear).once('end', end).once('close', end);
    if (socket.destroyed || socket.readableEnded) end();
    else socket.resume();
  });
}
