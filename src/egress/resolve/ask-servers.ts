import { randomBytes, randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createDnsReader, frame } from '../dns/frames.ts';
import type { Response, ResponseRecord } from '../dns/message.ts';
import { classInternet, dnsHeaderLength, hostNameOf, rcodeName, rcodes, writeName } from '../dns/wire-name.ts';
import {
  askUdp,
  type DnsExchange,
  type ExchangeResult,
  matchResponse,
  type NameServer,
  connectionReason,
  type ResolverConfiguration,
} from './ask-udp.ts';

export interface Asking {
  readonly configuration: ResolverConfiguration;
  /** Deadline, as a time of `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export type ServerOutcome =
  /** The name exists, perhaps without an address of the type. */
  | {
      readonly kind: 'found';
      readonly aliases: readonly string[];
      readonly addresses: readonly string[];
      readonly ttl: number;
    }
  | { readonly kind: 'no-such-name' }
  | { readonly kind: 'contradictory'; readonly reason: string }
  /** No server gave a valid answer. */
  | { readonly kind: 'failed'; readonly reasons: readonly string[] };

/** Asks one server after the other until one answers. Each later server gets more time. */
export async function askServers(
  name: string,
  type: number,
  { configuration, deadline, signal }: Asking,
): Promise<ServerOutcome> {
  const turns = Array.from({ length: configuration.attempts }, () => configuration.servers).flat();
  const reasons = new Set<string>();
  for (const [index, server] of turns.entries()) {
    const timeout = Math.min(configuration.timeout, turnTime(deadline - performance.now(), turns.length - index));
    if (timeout <= 0 || signal.aborted) break;
    const result = await askServer(name, type, { server, timeout, signal });
    const outcome = result.kind === 'response' ? outcomeOf(name, result.response) : result;
    if (outcome.kind === 'failed') reasons.add(`${server.address}: ${outcome.reason}`);
    else return outcome;
  }
  return { kind: 'failed', reasons: [...reasons] };
}

type AskedResult = Exclude<ExchangeResult, { readonly kind: 'over-tcp' }>;

async function askServer(
  name: string,
  type: number,
  turn: { readonly server: NameServer; readonly timeout: number; readonly signal: AbortSignal },
): Promise<AskedResult> {
  const id = randomInt(0x10000);
  const packet = encodeQuery({ id, name: mixedCase(name), type });
  if (packet === undefined) return { kind: 'failed', reason: 'no name that can be asked for' };
  const exchange: DnsExchange = { ...turn, id, packet };
  const overUdp = await askUdp(exchange);
  if (overUdp.kind !== 'over-tcp') return overUdp;
  const overTcp = await askTcp(exchange);
  return overTcp.kind === 'over-tcp' ? { kind: 'failed', reason: 'no answer' } : overTcp;
}

function outcomeOf(
  name: string,
  { rcode, records }: Response,
): Exclude<ServerOutcome, { readonly kind: 'failed' }> | { readonly kind: 'failed'; readonly reason: string } {
  if (rcode === rcodes.NXDOMAIN) return { kind: 'no-such-name' };
  if (rcode !== rcodes.NOERROR) return { kind: 'failed', reason: rcodeName(rcode) };
  const chain = followChain(name, records);
  return chain.kind === 'contradictory' ? chain : { ...chain, kind: 'found' };
}

/**
 * Gives every letter of a name a random case. Servers repeat the question as sent. A forger who has not seen the
 * question has to guess one more bit for each letter (draft-vixie-dnsext-dns0x20).
 */
export function mixedCase(name: string): string {
  const bits = randomBytes(name.length);
  return Array.from(name, (letter, at) => ((bits[at] ?? 0) & 1 ? letter.toUpperCase() : letter)).join('');
}

/** Milliseconds. If a nearby server stays silent this long, the packet was lost. */
const shortestTurn = 500;

/**
 * Returns the milliseconds for one server. `turns` counts the turns left, including this one, and `remaining` is the
 * time for all of them. Each turn is twice as long as the one before. A lost packet is thus sent again soon, and a slow
 * server still gets time at the end.
 */
export function turnTime(remaining: number, turns: number): number {
  return Math.max(Math.min(shortestTurn, remaining / turns), remaining / (2 ** turns - 1));
}

interface OutgoingQuery {
  readonly id: number;
  /** May mix upper and lower case. */
  readonly name: string;
  readonly type: number;
}

/** Encodes a query for a recursive server. Undefined if `name` is not a name. */
export function encodeQuery({ id, name, type }: OutgoingQuery): Buffer | undefined {
  const wire = writeName(name);
  if (wire === undefined) return undefined;
  const packet = Buffer.alloc(dnsHeaderLength + wire.length + 4);
  packet.writeUInt16BE(id, 0);
  packet.writeUInt16BE(0x0100, 2);
  packet.writeUInt16BE(1, 4);
  packet.set(wire, dnsHeaderLength);
  packet.writeUInt16BE(type, dnsHeaderLength + wire.length);
  packet.writeUInt16BE(classInternet, dnsHeaderLength + wire.length + 2);
  return packet;
}

const longestMessage = 0xffff;

/** Asks over its own connection. Never rejects. */
export async function askTcp(exchange: DnsExchange): Promise<ExchangeResult> {
  const { server, packet, timeout, signal } = exchange;
  const socket = connect({ host: server.address, port: server.port, noDelay: true });
  return await new Promise<ExchangeResult>((resolve) => {
    const finish = (result: ExchangeResult): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(result);
    };
    const onAbort = (): void => finish({ kind: 'failed', reason: 'not needed any more' });
    const timer = setTimeout(() => finish({ kind: 'failed', reason: 'no answer' }), timeout);
    signal.addEventListener('abort', onAbort);
    socket.on('error', (error) => finish({ kind: 'failed', reason: connectionReason(error) }));
    socket.on('close', () => finish({ kind: 'failed', reason: 'the connection ended without an answer' }));
    readAnswer(socket, exchange, finish);
    socket.write(frame(packet));
    if (signal.aborted) onAbort();
  });
}

/** Reads one answer. A server whose first answer is to another question gets no second chance. */
function readAnswer(socket: Socket, exchange: DnsExchange, finish: (result: ExchangeResult) => void): void {
  const frames = createDnsReader(longestMessage);
  socket.on('data', (chunk) => {
    const [message] = frames.push(chunk);
    if (message === undefined || typeof message === 'string') return;
    const match = matchResponse(message, exchange);
    switch (match.kind) {
      // The connection itself identifies the server, so the case of the letters does not have to match.
      case 'answer':
      case 'other-case':
        return finish(
          match.response.isTruncated
            ? { kind: 'failed', reason: 'its answer is cut off even over TCP' }
            : { kind: 'response', response: match.response },
        );
      case 'stranger':
        return finish({ kind: 'failed', reason: 'it answered something else' });
    }
  });
}

type Chain =
  | {
      readonly kind: 'followed';
      /** Every name after the requested one. */
      readonly aliases: readonly string[];
      readonly addresses: readonly string[];
      /** Time to live in seconds, the shortest of all records used. Infinite if none was used. */
      readonly ttl: number;
    }
  /** The answer contradicts itself, and none of it is used. */
  | { readonly kind: 'contradictory'; readonly reason: string };

export const mostAliases = 16;

/** Follows the CNAME records of a name to its addresses. Ignores records about other names. */
export function followChain(name: string, records: readonly ResponseRecord[]): Chain {
  const aliases: string[] = [];
  let owner = name;
  let ttl = Number.POSITIVE_INFINITY;
  for (;;) {
    const next = aliasOf(owner, records);
    if (next === 'ambiguous') return { kind: 'contradictory', reason: 'one name has several CNAME records' };
    if (next === undefined) break;
    if (aliases.includes(next.target)) return { kind: 'contradictory', reason: 'its CNAME records go in a circle' };
    if (hostNameOf(next.target) === undefined) return { kind: 'contradictory', reason: 'a CNAME record names no host' };
    if (aliases.length === mostAliases)
      return { kind: 'contradictory', reason: `it has more than ${mostAliases} CNAME records in a row` };
    aliases.push(next.target);
    ttl = Math.min(ttl, next.ttl);
    owner = next.target;
  }
  const found = records.flatMap((record) => (record.kind === 'address' && record.owner === owner ? [record] : []));
  return {
    kind: 'followed',
    aliases,
    addresses: found.map(({ address }) => address),
    ttl: Math.min(ttl, ...found.map((record) => record.ttl)),
  };
}

interface Alias {
  readonly target: string;
  readonly ttl: number;
}

function aliasOf(owner: string, records: readonly ResponseRecord[]): Alias | 'ambiguous' | undefined {
  const aliases = records.flatMap((record) => (record.kind === 'alias' && record.owner === owner ? [record] : []));
  return aliases.some(({ target }) => target !== aliases[0]?.target) ? 'ambiguous' : aliases[0];
}
