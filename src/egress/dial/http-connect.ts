import type { Socket } from 'node:net';
import type { Destination } from '../types.ts';
import type { UpstreamProxy } from './parse-proxy.ts';
import { type Finder, readUntil } from './read-until.ts';

/** How asking a proxy ended. `rest` are bytes of the destination that came with the answer. */
export type ProxyAnswer = { readonly kind: 'open'; readonly rest: Buffer } | { readonly kind: 'refused'; readonly reason: string; readonly remedy: string } | { readonly kind: 'protocol'; readonly reason: string };

/** Node's own limit for heads of messages. */
const longestHead = 16_384;

/** Asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6). */
export async function httpConnect(socket: Socket, target: Destination, proxy: UpstreamProxy): Promise<ProxyAnswer> {
  const authority = target.host.includes(':') ? `[${target.host}]:${target.port}` : `${target.host}:${target.port}`;
  const credentials = proxy.credentials();
  const authorization = credentials === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}\r\n`;
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

/** The status of a response whose head is whole. What is not HTTP is known by its first bytes. */
const findHead: Finder<number> = (bytes) => {
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, longestHead));
  if (!'HTTP/1.'.startsWith(text.slice(0, 7))) return 'malformed';
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return undefined;
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r?\n)/.exec(text)?.[1];
  return status === undefined ? 'malformed' : { result: Number(status), end: end.index + end[0].length };
};

function answerOf(status: number, rest: Buffer, { variable }: UpstreamProxy): ProxyAnswer {
  if (status >= 200 && status < 300) return { kind: 'open', rest };
  if (status === 407) return { kind: 'refused', reason: 'wants other credentials (407)', remedy: `write them into ${variable}, as http://user:password@proxy` };
  if (status === 403 || status === 405) return { kind: 'refused', reason: `does not allow it (${status})`, remedy: `ask whoever runs the proxy, or name the host in NO_PROXY if it can be reached directly` };
  if (status === 502 || status === 503 || status === 504) return { kind: 'refused', reason: `cannot reach it (${status})`, remedy: 'see whether the service is up' };
  return { kind: 'refused', reason: `answered ${status}`, remedy: `see whether ${variable} names a proxy` };
}
