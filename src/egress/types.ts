/**
 * The egress room: the only way from a box to the network.
 *
 * One pipeline: name → decide → resolve → vet every address → dial the vetted address → splice, or terminate TLS for
 * rules about requests → journal. Sockets and clocks live here. An `Authority` decides which destinations are
 * reachable, never this room. Policies, plans, boxes and credentials may not enter.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectRequest, DnsRequest, HttpRequest } from '../policy/request.ts';
import type { TlsTreatment, Verdict } from '../policy/verdict.ts';

/** Destination of a client. `host` is in the one spelling of `normaliseHost`: a name, or an address. */
export interface Destination {
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** Entrance of a connection into the pipeline. */
export type ConnectionFront = 'transparent' | 'connect' | 'absolute-form' | 'socks5' | 'fetch' | 'loopback';

/**
 * The pipeline's questions about a policy. After a change of the policy, the next question gets the new one's answer.
 */
export interface Authority {
  decide(request: ConnectRequest | DnsRequest | HttpRequest): Verdict;
  /**
   * Decides whether a special-purpose address is open at a port. Only a pattern that spells out an address, a network
   * or `localhost` opens it. Neither a name nor `any` does, because an attacker would publish a name with 10.0.0.1.
   */
  decideAddress(address: string, port: number): Verdict;
  tlsTreatment(destination: Destination): TlsTreatment;
  /**
   * Returns true if a connection there, or some request on it, could pass without an approval. If none could, nothing
   * is looked up or dialled before the answer. Absent: one could.
   */
  passesUnasked?(destination: Destination): boolean;
  /**
   * Asks for an approval of a held request, until `signal` says that nobody waits any more. Never rejects. Absent:
   * nobody is there to ask.
   */
  approve?(request: ConnectRequest | HttpRequest, verdict: Verdict, signal?: AbortSignal): Promise<ConnectionApproval>;
}

/** `message` completes the verdict's message with the end of the wait. */
export type ConnectionApproval = { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly message: string };

/** Stable, for programs. */
export type EgressRefusalCode =
  /** The policy does not allow it. `verdict` names the rule. */
  | 'policy'
  /** A special-purpose or metadata address, or one of the host's own. */
  | 'special-address'
  /** A name for such an address: `metadata.google.internal`, `*.internal`, single labels. */
  | 'special-name'
  /** Neither a name nor an address, or a spelling that parsers disagree about. */
  | 'malformed-host'
  | 'name-not-found'
  | 'resolver-failed'
  | 'unreachable'
  | 'upstream-timeout'
  | 'upstream-certificate'
  | 'upstream-protocol'
  /** Host, SNI, `:authority` and the dialled name differ. */
  | 'authority-mismatch'
  /** A request that two parsers could read as two. */
  | 'malformed-request'
  | 'unauthorised-proxy'
  /** A phantom that is not valid: at another host, method or path, in the wrong place, or revoked. */
  | 'phantom-misused'
  /** A real secret on its way out of a box. */
  | 'secret-exposed'
  /** A foreign key, for a host with a key of the session. */
  | 'foreign-credential'
  /** The secret could not be read, or cannot be put into this request. */
  | 'credential-unavailable'
  /** Data in the request may not leave unchanged, and could not be changed. */
  | 'data-loss'
  /**
   * The client did not complete TLS with us: it does not speak TLS, is too slow, or does not trust the session's
   * authority.
   */
  | 'client-tls'
  | 'overloaded';

/**
 * Why something was refused, for the client, `why` and the journal. `message` and `remedy` are one line each, without
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

/** The complete resolution of a name. */
export interface Resolution {
  readonly kind: 'resolved';
  /** Every name of the CNAME chain after the requested one, in lower case and in order. */
  readonly aliases: readonly string[];
  /** Canonical spellings, IPv4 and IPv6, at most 16. */
  readonly addresses: readonly string[];
}

export interface Resolver {
  resolve(name: string, signal?: AbortSignal): Promise<Resolution | Refused>;
}

/** A destination whose addresses have all been vetted. Only these addresses may be dialled. */
export interface Vetted {
  readonly kind: 'vetted';
  readonly destination: Destination;
  readonly addresses: readonly string[];
}

export interface Dialled {
  readonly kind: 'dialled';
  /** Connected, with TCP_NODELAY, paused. */
  readonly socket: Socket;
  /** The vetted address that answered. */
  readonly address: string;
}

/**
 * Speaks a protocol other than HTTP on behalf of a box, whose credentials stay outside. The destination has been
 * decided, and the client has had no answer yet.
 */
export interface Broker {
  readonly name: 'postgres' | 'redis';
  /** Serves one client to its end. Never rejects. */
  serve(client: Duplex, ways: BrokerWays): Promise<void>;
}

/** The network access of a broker. Refusals of `dial`, `terminateTls` and `secure` are in the journal already. */
export interface BrokerWays {
  /** Services of the host's loopback are at `127.0.0.1` or `::1`. */
  readonly destination: Destination;
  /**
   * Opens a new connection to a vetted address of the destination. Each is decided and vetted again, and ends with the
   * client. Refused if a rule redirects the destination, whose secrets are not for others.
   */
  dial(): Promise<Dialled | Refused>;
  /**
   * Terminates TLS on the client's side, as the destination, also for clients that name no host. All bytes before TLS
   * must have been read.
   */
  terminateTls(client: Duplex): Promise<{ readonly kind: 'secured'; readonly socket: Duplex } | Refused>;
  /**
   * Starts TLS on the upstream side, without ALPN, and verifies the destination's name, which is `localhost` on
   * loopback.
   */
  secure(upstream: Socket): Promise<{ readonly kind: 'secured'; readonly socket: Duplex } | Refused>;
  /** Records an event in the journal. `text` of a statement never holds a secret of the session. */
  record(event: BrokerEvent): void;
  /** Listens for the end of the client while it waits for an approval. */
  untilGone(): { readonly signal: AbortSignal; end(): void };
  /** Reports a refusal at once. */
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
   * One statement or command, or `count` of them in one event because they are frequent. `outcome` is the protocol's
   * own word if it has one: `SELECT 3`, `ERROR 25006`. `refusal`: why it was denied. The connection goes on.
   */
  | {
      readonly kind: 'statement';
      readonly text: string;
      readonly decision: 'allow' | 'deny';
      readonly outcome: string;
      readonly count?: number;
      readonly refusal?: EgressRefusal;
    };

/** A journal entry about one statement or command through a broker. */
export interface StatementRecord {
  readonly protocol: Broker['name'];
  readonly destination: Destination;
  /** Empty if the broker has not named the user. */
  readonly user: string;
  readonly database?: string;
  readonly text: string;
  readonly decision: 'allow' | 'deny';
  readonly outcome: string;
  /** Number of statements. Absent: one. */
  readonly count?: number;
}

/**
 * Searches the client's bytes on one watched connection without HTTP. It may hold bytes back until more have come.
 * Returned bytes go on, unchanged and in order. `stop` resets the connection.
 */
export interface StreamWatch {
  push(bytes: Buffer): Buffer | 'stop';
  /**
   * Returns the held bytes: the client has ended, or is silent while the other side may be waiting for them. Later
   * bytes still belong together with them.
   */
  end(): Buffer | 'stop';
}

/**
 * Names that exist only in boxes, with their targets. Plain HTTP/1.1 at port 80 of the name becomes https at the
 * destination.
 */
export type Routes = ReadonlyMap<string, Destination>;

/** A journal entry about one connection. */
export interface ConnectionRecord {
  readonly front: ConnectionFront;
  readonly destination: Destination;
  /** The vetted address that was dialled. Absent if nothing was. */
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
  /** Method and path are empty if the bytes were no request. */
  readonly request: HttpRequest;
  /** Status for the client. 0 if it was gone before. */
  readonly status: number;
  /** Absent if the policy was not asked: the request was malformed, or for another destination. */
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
}
