import type { Socket } from 'node:net';
import type { ConnectRequest, DnsRequest, HttpRequest, Verdict } from '../policy/index.ts';

/** Where a client wants to go. `host` is in the one spelling of `normaliseHost`: a name, or an address. */
export interface Destination {
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** How a connection came into the pipeline. */
export type Front = 'transparent' | 'connect' | 'absolute-form' | 'socks5' | 'fetch' | 'loopback';

/** `splice` carries bytes unseen; `intercept` ends TLS here for rules about requests; `passthrough` splices although such a rule exists. */
export type TlsTreatment = 'splice' | 'intercept' | 'passthrough';

/** What the pipeline asks about a policy. When the policy changes, the next question is answered by the new one. */
export interface Authority {
  decide(request: ConnectRequest | DnsRequest | HttpRequest): Verdict;
  /**
   * Whether a pattern that spells out an address, a network or `localhost` opens a special-purpose address at a port.
   * Neither a name nor `any` does: a name that answers with 10.0.0.1 is what an attacker would publish.
   */
  decideAddress(address: string, port: number): Verdict;
  tlsTreatment(destination: Destination): TlsTreatment;
}

/** Stable, for programs. */
export type EgressRefusalCode =
  /** The policy does not allow it; `verdict` says which rule. */
  | 'policy'
  /** A special-purpose or metadata address, or one of the host's own. */
  | 'special-address'
  /** A name that stands for such an address: `metadata.google.internal`, `*.internal`, single labels. */
  | 'special-name'
  /** No name, no address, or one in a spelling that parsers disagree about. */
  | 'malformed-host'
  | 'name-not-found'
  | 'resolver-failed'
  | 'unreachable'
  | 'upstream-timeout'
  | 'upstream-certificate'
  | 'upstream-protocol'
  /** Host, SNI, `:authority` and the name dialled are not one. */
  | 'authority-mismatch'
  /** A request that two parsers could read as two. */
  | 'malformed-request'
  | 'unauthorised-proxy'
  /** The client did not complete TLS with us: it speaks none, is too slow, or does not trust the session's authority. */
  | 'client-tls'
  | 'overloaded';

/** Why something did not pass, for the client, `why` and the journal. `message` and `remedy` are one line each, without control characters. */
export interface EgressRefusal {
  readonly code: EgressRefusalCode;
  readonly message: string;
  readonly remedy: string;
  readonly verdict?: Verdict;
}

export interface Refused {
  readonly kind: 'refused';
  readonly refusal: EgressRefusal;
}

/** What a name stands for, all of it. */
export interface Resolution {
  readonly kind: 'resolved';
  /** Every name of the CNAME chain after the one asked for, lower case, in order. */
  readonly aliases: readonly string[];
  /** Canonical spellings, IPv4 and IPv6, at most 16. */
  readonly addresses: readonly string[];
}

export interface Resolver {
  resolve(name: string, signal?: AbortSignal): Promise<Resolution | Refused>;
}

/** A destination whose every address has been vetted. Only these addresses may be dialled. */
export interface Vetted {
  readonly kind: 'vetted';
  readonly destination: Destination;
  readonly addresses: readonly string[];
}

export interface Dialled {
  readonly kind: 'dialled';
  /** Connected, TCP_NODELAY set, paused. */
  readonly socket: Socket;
  /** The vetted address that answered. */
  readonly address: string;
}

/** One connection as it stands in the journal. */
export interface ConnectionRecord {
  readonly front: Front;
  readonly destination: Destination;
  /** The vetted address that was dialled; absent when nothing was. */
  readonly address?: string;
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
  /** From the box to the destination. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** One request inside an intercepted connection. */
export interface RequestRecord {
  readonly destination: Destination;
  /** With an empty method and path where the bytes were no request. */
  readonly request: HttpRequest;
  /** What the client was answered; 0 when it was gone before. */
  readonly status: number;
  /** Absent when the policy was not asked: the request was malformed, or for another destination. */
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
}
