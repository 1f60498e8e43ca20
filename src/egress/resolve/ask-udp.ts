import { createSocket, type Socket } from 'node:dgram';
import { isIP, isIPv6 } from 'node:net';
import { decodeResponse, type Response } from '../dns/message.ts';

/**
 * This many packets with other answers are no accident. Holdfast then asks over TCP, where nobody else can inject
 * answers.
 */
const mostStrangers = 16;

/**
 * Asks over a new socket, so that every question has a random source port. The socket is connected, so the kernel drops
 * packets of other hosts and reports a missing server. Never rejects.
 */
export async function askUdp(exchange: DnsExchange): Promise<ExchangeResult> {
  const { server, packet, timeout, signal } = exchange;
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
  return await new Promise<ExchangeResult>((resolve) => {
    const finish = (result: ExchangeResult): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      closeQuietly(socket);
      resolve(result);
    };
    const onAbort = (): void => finish({ kind: 'failed', reason: 'not needed any more' });
    const timer = setTimeout(() => finish({ kind: 'failed', reason: 'no answer' }), timeout);
    signal.addEventListener('abort', onAbort);
    socket.on('error', (error) => finish({ kind: 'failed', reason: connectionReason(error) }));
    socket.on('message', messageHandler(exchange, finish));
    const onSent = (error: unknown): void =>
      error == null ? undefined : finish({ kind: 'failed', reason: connectionReason(error) });
    socket.connect(server.port, server.address, (error?: unknown) =>
      error == null ? socket.send(packet, onSent) : onSent(error),
    );
    if (signal.aborted) onAbort();
  });
}

function messageHandler(exchange: DnsExchange, finish: (result: ExchangeResult) => void): (packet: Buffer) => void {
  let strangers = 0;
  return (packet) => {
    const match = matchResponse(packet, exchange);
    switch (match.kind) {
      case 'answer':
        return finish(
          match.response.isTruncated ? { kind: 'over-tcp' } : { kind: 'response', response: match.response },
        );
      case 'other-case':
        return finish({ kind: 'over-tcp' });
      case 'stranger':
        strangers += 1;
        return strangers < mostStrangers ? undefined : finish({ kind: 'over-tcp' });
    }
  };
}

/** Closes a socket. After that, errors have no handler. */
function closeQuietly(socket: Socket): void {
  socket.removeAllListeners();
  socket.on('error', () => {});
  try {
    socket.close();
  } catch {
    // The socket was already closed by its own error.
  }
}

/** One question to one server. */
export interface DnsExchange {
  readonly server: NameServer;
  readonly id: number;
  readonly packet: Buffer;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export type ExchangeResult =
  | { readonly kind: 'response'; readonly response: Response }
  /** An answer exists but needs TCP: it was truncated, or too many other packets came. */
  | { readonly kind: 'over-tcp' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Relation between a packet and the question. */
type Match =
  | { readonly kind: 'answer'; readonly response: Response }
  /** From a server that changes the case of letters, or a forger who has guessed everything else. */
  | { readonly kind: 'other-case'; readonly response: Response }
  | { readonly kind: 'stranger' };

const questionStart = 12;

/**
 * Compares ID and question. The question is compared byte by byte, because a forger has to guess the case of its
 * letters.
 */
export function matchResponse(packet: Buffer, { id, packet: query }: DnsExchange): Match {
  const response = decodeResponse(packet);
  if (response === undefined || response.id !== id) return { kind: 'stranger' };
  const asked = query.subarray(questionStart);
  if (response.question === undefined || asked.equals(response.question.wire)) return { kind: 'answer', response };
  const sameName =
    asked.toString('latin1').toLowerCase() === Buffer.from(response.question.wire).toString('latin1').toLowerCase();
  return sameName ? { kind: 'other-case', response } : { kind: 'stranger' };
}

/** Returns the reason of a socket's failure as one word, such as `ECONNREFUSED`. */
export function connectionReason(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'the connection failed';
}

/** A name server. */
export interface NameServer {
  /** An IPv4 or IPv6 address. An IPv6 address may have a zone: `fe80::1%eth0`. */
  readonly address: string;
  readonly port: number;
}

/** Settings of resolv.conf(5), intentionally without its search list. */
export interface ResolverConfiguration {
  readonly servers: readonly NameServer[];
  /** Milliseconds for one try. */
  readonly timeout: number;
  /** Passes over the list of servers. */
  readonly attempts: number;
}

/** glibc's own limits: MAXNS, RES_MAXRETRANS and RES_MAXRETRY of <resolv.h>. */
const mostServers = 3;
const longestTimeout = 30;
const mostAttempts = 5;
const port = 53;

/** Without a server, glibc asks a server on the same machine. */
const localServer: NameServer = { address: '127.0.0.1', port };

export function parseResolvConf(text: string): ResolverConfiguration {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
  const servers = lines.flatMap(([keyword, address = '']) =>
    keyword === 'nameserver' && isIP(address) !== 0 ? [{ address, port }] : [],
  );
  const options = lines.flatMap(([keyword, ...words]) => (keyword === 'options' ? words : []));
  return {
    servers: servers.length === 0 ? [localServer] : servers.slice(0, mostServers),
    timeout: (numberIn(options, 'timeout', longestTimeout) ?? 5) * 1000,
    attempts: numberIn(options, 'attempts', mostAttempts) ?? 2,
  };
}

/** If an option is repeated, the last one counts. */
function numberIn(options: readonly string[], name: string, most: number): number | undefined {
  const values = options.flatMap((option) => new RegExp(`^${name}:(\\d{1,6})$`).exec(option)?.[1] ?? []);
  const last = values.at(-1);
  return last === undefined ? undefined : Math.min(Math.max(Number(last), 1), most);
}
