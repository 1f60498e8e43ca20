import { decodeResponse, type Response } from '../dns/decode-response.ts';
import type { NameServer } from './resolv-conf.ts';

/** One question to one server. */
export interface Exchange {
  readonly server: NameServer;
  readonly id: number;
  readonly packet: Buffer;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export type ExchangeResult =
  | { readonly kind: 'response'; readonly response: Response }
  /** There is an answer, but it has to be fetched over TCP: it was cut, or too many strange ones came. */
  | { readonly kind: 'over-tcp' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How a packet relates to what was asked. */
export type Match =
  | { readonly kind: 'answer'; readonly response: Response }
  /** From a server that changes the case of letters, or a forger who has guessed the rest. */
  | { readonly kind: 'other-case'; readonly response: Response }
  | { readonly kind: 'stranger' };

const questionStart = 12;

/** Compares id and question, the latter byte by byte: the case of its letters is part of what a forger has to guess. */
export function matchResponse(packet: Buffer, { id, packet: query }: Exchange): Match {
  const response = decodeResponse(packet);
  if (response === undefined || response.id !== id) return { kind: 'stranger' };
  const asked = query.subarray(questionStart);
  if (response.question === undefined || asked.equals(response.question.wire)) return { kind: 'answer', response };
  const sameName = asked.toString('latin1').toLowerCase() === Buffer.from(response.question.wire).toString('latin1').toLowerCase();
  return sameName ? { kind: 'other-case', response } : { kind: 'stranger' };
}

/** Why a socket failed, in a word: `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'the connection failed';
}
