import { randomInt } from 'node:crypto';
import { rcodeName, rcodes } from '../dns/constants.ts';
import type { Response } from '../dns/decode-response.ts';
import { encodeQuery } from '../dns/encode-query.ts';
import { askTcp } from './ask-tcp.ts';
import { askUdp } from './ask-udp.ts';
import type { Exchange, ExchangeResult } from './exchange.ts';
import { followChain } from './follow-chain.ts';
import { mixedCase } from './mixed-case.ts';
import type { NameServer, ResolverConfiguration } from './resolv-conf.ts';
import { turnTime } from './turn-time.ts';

export interface Asking {
  readonly configuration: ResolverConfiguration;
  /** When there has to be an answer, as `performance.now()` counts. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export type Outcome =
  /** The name exists; there may be no address of the type. */
  | { readonly kind: 'found'; readonly aliases: readonly string[]; readonly addresses: readonly string[]; readonly ttl: number }
  | { readonly kind: 'no-such-name' }
  | { readonly kind: 'contradictory'; readonly reason: string }
  /** No server gave an answer that counts. */
  | { readonly kind: 'failed'; readonly reasons: readonly string[] };

/** Asks one server after the other until one answers; each gets its turn, and the last the most time. */
export async function askServers(name: string, type: number, { configuration, deadline, signal }: Asking): Promise<Outcome> {
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

async function askServer(name: string, type: number, turn: { readonly server: NameServer; readonly timeout: number; readonly signal: AbortSignal }): Promise<AskedResult> {
  const id = randomInt(0x10000);
  const packet = encodeQuery({ id, name: mixedCase(name), type });
  if (packet === undefined) return { kind: 'failed', reason: 'no name that can be asked for' };
  const exchange: Exchange = { ...turn, id, packet };
  const overUdp = await askUdp(exchange);
  if (overUdp.kind !== 'over-tcp') return overUdp;
  const overTcp = await askTcp(exchange);
  return overTcp.kind === 'over-tcp' ? { kind: 'failed', reason: 'no answer' } : overTcp;
}

function outcomeOf(name: string, { rcode, records }: Response): Exclude<Outcome, { readonly kind: 'failed' }> | { readonly kind: 'failed'; readonly reason: string } {
  if (rcode === rcodes.NXDOMAIN) return { kind: 'no-such-name' };
  if (rcode !== rcodes.NOERROR) return { kind: 'failed', reason: rcodeName(rcode) };
  const chain = followChain(name, records);
  return chain.kind === 'contradictory' ? chain : { ...chain, kind: 'found' };
}
