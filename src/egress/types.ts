/**
 * The egress room: the only way from a box to the network.
 *
 * One pipeline: name → decide → resolve → vet every address → dial the vetted address → splice, or end TLS for rules
 * about requests → journal. Sockets and clocks live here; what may be reached is asked of an `Authority` and never
 * decided here. Policies, plans, boxes and credentials may not enter.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectRequest, DnsRequest, HttpRequest } from '../policy/request.ts';
import type { TlsTreatment, Verdict } from '../policy/verdict.ts';

/** Where a client wants to go. `host` is in the one spelling of `normaliseHost`: a name, or an address. */
export interface Destination {
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** How a connection came into the pipeline. */
export type ConnectionFront = 'transparent' | 'connect' | 'absolute-form' | 'socks5' | 'fetch' | 'loopback';

/** What the pipeline asks about a policy. When the policy changes, the next question is answered by the new one. */
export interface Authority {
  decide(request: ConnectRequest | DnsRequest | HttpRequest): Verdict;
  /**
   * Whether a pattern that spells out an address, a network or `localhost` opens a special-purpose address at a port.
   * Neither a name nor `any` does: a name that answers with 10.0.0.1 is what an attacker would publish.
   */
  decideAddress(address: string, port: number): Verdict;
  tlsTreatment(destination: Destination): TlsTreatment;
  /**
   * Whether a connection there, or some request on it, could pass without a person's word. Where none could, nothing is
   * looked up or dialled ahead of the answer. Absent: one could.
   */
  passesUnasked?(destination: Destination): boolean;
  /**
   * Asks a person about what a verdict holds back, until `signal` says that nobody waits any more, and never rejects.
   * Absent: nobody is there to ask.
   */
  approve?(request: ConnectRequest | HttpRequest, verdict: Verdict, signal?: AbortSignal): Promise<ConnectionApproval>;
}

/** `message` completes the verdict's: how the waiting ended. */
export type ConnectionApproval = { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly message: string };

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
  /** A phantom where it is not good: at another host, method or path, in the wrong place, or revoked. */
  | 'phantom-misused'
  /** A real secret on its way out of a box. */
  | 'secret-exposed'
  /** A key that is not the session's, for a host that the session has one for. */
  | 'foreign-credential'
  /** The secret could not be read, or cannot be put into this request. */
  | 'credential-unavailable'
  /** Something in the request may not leave as it is, and could not be changed. */
  | 'data-loss'
  /**
   * The client did not complete TLS with us: it speaks none, is too slow, or does not trust the session's authority.
   */
  | 'client-tls'
  | 'overloaded';

/**
 * Why something did not pass, for the client, `why` and the journal. `message` and `remedy` are one line each, without
 * control characters.
 */
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

/**
 * Speaks another protocol than HTTP on behalf of a box, because its credentials stay outside. The destination has been
 * decided and the client answered nothing yet.
 */
export interface Broker {
  readonly name: 'postgres' | 'redis';
  /** Serves one client to its end. Never rejects. */
  serve(client: Duplex, ways: BrokerWays): Promise<void>;
}

/**
 * What a broker may do with the network. What `dial`, `terminateTls` and `secure` refuse stands in the journal already.
 */
export interface BrokerWays {
  /** Services of the host's loopback are at `127.0.0.1` or `::1`. */
  readonly destination: Destination;
  /**
   * A new connection to a vetted address of the destination; each is decided and vetted again. It ends with the client.
   * Refused where a rule redirects the destination: its secrets are not for others.
   */
  dial(): Promise<Dialled | Refused>;
  /**
   * Ends TLS on the client's side, as the destination, also for clients that name none. What was read of it and is no
   * part of TLS has to be gone.
   */
  terminateTls(client: Duplex): Promise<{ readonly kind: 'secured'; readonly socket: Duplex } | Refused>;
  /**
   * Starts TLS on the upstream side, without ALPN, and verifies the destination's name, which is `localhost` on
   * loopback.
   */
  secure(upstream: Socket): Promise<{ readonly kind: 'secured'; readonly socket: Duplex } | Refused>;
  /** Tells the journal. `text` of a statement never holds a secret of the session. */
  record(event: BrokerEvent): void;
  /** Listens for the end of the client while it waits for a person. */
  untilGone(): { readonly signal: AbortSignal; end(): void };
  /** Says that something was refused, at once. */
  refused(refusal: EgressRefusal): void;
}

export type BrokerEvent =
  | {
      readonly kind: 'session';
      readonly user: string;
      readonly database?: string;
      readonly mode: 'read-write' | 'read-only';
    }
  /**
   * One statement or command, or `count` of them that are told together because they are many. `outcome` is the
   * protocol's own word where there is one: `SELECT 3`, `ERROR 25006`. `refusal`: why it was denied; the connection
   * goes on.
   */
  | {
      readonly kind: 'statement';
      readonly text: string;
      readonly decision: 'allow' | 'deny';
      readonly outcome: string;
      readonly count?: number;
      readonly refusal?: EgressRefusal;
    };

/** One statement or command that went through a broker, as it stands in the journal. */
export interface StatementRecord {
  readonly protocol: Broker['name'];
  readonly destination: Destination;
  /** Empty when the broker has not said who it is. */
  readonly user: string;
  readonly database?: string;
  readonly text: string;
  readonly decision: 'allow' | 'deny';
  readonly outcome: string;
  /** Of how many it tells; absent: of one. */
  readonly count?: number;
}

/**
 * Looks at what a client says on one watched connection that holds no HTTP. It may hold bytes back until more have
 * come; what it gives goes on, unchanged and in order. `stop` resets the connection.
 */
export interface StreamWatch {
  push(bytes: Buffer): Buffer | 'stop';
  /**
   * What is held back: the client has ended, or says nothing while the other side may be waiting for that. More may
   * come all the same, and belongs together.
   */
  end(): Buffer | 'stop';
}

/**
 * Names that exist only in boxes, with what they lead to: plain HTTP/1.1 at port 80 of the name is https at the
 * destination.
 */
export type Routes = ReadonlyMap<string, Destination>;

/** One connection as it stands in the journal. */
export interface ConnectionRecord {
  readonly front: ConnectionFront;
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
