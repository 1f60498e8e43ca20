/**
 * The egress room: the only way from a box to the network.
 *
 * One pipeline: name → decide → resolve → vet every address → dial the vetted address → splice, or terminate TLS for
 * rules about requests → journal. This room uses sockets and clocks. It never decides which destinations are reachable:
 * an `Authority` does. It knows no policies, plans, boxes or credentials.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectRequest, DnsRequest, HttpRequest } from '../policy/request.ts';
import type { TlsTreatment, Verdict } from '../policy/verdict.ts';

/** Destination of a client. `host` is normalised by `normaliseHost`: a name, or an address. */
export interface Destination {
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** Entrance through which a connection reaches the pipeline. */
export type ConnectionFront = 'transparent' | 'connect' | 'absolute-form' | 'socks5' | 'fetch' | 'loopback';

/** The pipeline's questions about a policy. After a change of the policy, the new policy answers the next question. */
export interface Authority {
  decide(request: ConnectRequest | DnsRequest | HttpRequest): Verdict;
  /**
   * Decides whether a special-purpose address is open at a port. Only a pattern that spells out an address, a network
   * or `localhost` opens it. Neither a name nor `any` opens it, because an attacker can publish a name that resolves to
   * 10.0.0.1.
   */
  decideAddress(address: string, port: number): Verdict;
  tlsTreatment(destination: Destination): TlsTreatment;
  /**
   * Returns true if a connection to the destination, or some request on it, could pass without an approval. If none
   * could, nothing is looked up or dialled before the approval. Absent: one could.
   */
  passesUnasked?(destination: Destination): boolean;
  /**
   * Asks for an approval of a waiting request, until `signal` reports that the client no longer waits. Never rejects.
   * Absent: nobody can be asked.
   */
  approve?(request: ConnectRequest | HttpRequest, verdict: Verdict, signal?: AbortSignal): Promise<ConnectionApproval>;
}

/** `message` is appended to the verdict's message and says how the wait ended. */
export type ConnectionApproval = { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly message: string };

/** Stable, for programs. */
export type EgressRefusalCode =
  /** The policy does not allow it. `verdict` names the rule. */
  | 'policy'
  /** A special-purpose or metadata address, or one of the host's own addresses. */
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
  /** A phantom that is not valid here: sent to another host, method or path, in the wrong position, or revoked. */
  | 'phantom-misused'
  /** A real secret on its way out of a box. */
  | 'secret-exposed'
  /** A key from elsewhere, for a host that has a key of the session. */
  | 'foreign-credential'
  /** The secret could not be read, or cannot be put into this request. */
  | 'credential-unavailable'
  /** Data in the request must not leave unchanged, and could not be changed. */
  | 'data-loss'
  /** The client did not complete TLS: it does not speak TLS, is too slow, or does not trust the session's authority. */
  | 'client-tls'
  | 'overloaded';

/**
 * Reason of a refusal, for the client, `holdfast why` and the journal. `message` and `remedy` are one line each,
 * without control characters.
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

/** All addresses and aliases of a resolved name. */
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
  /** Connected and paused, with TCP_NODELAY. */
  readonly socket: Socket;
  /** The vetted address that answered. */
  readonly address: string;
}

/**
 * Speaks a protocol other than HTTP on behalf of a box, so that credentials stay outside the box. The destination has
 * been decided, and the client has had no answer yet.
 */
export interface Broker {
  readonly name: 'postgres' | 'redis';
  /** Serves one client to its end. Never rejects. */
  serve(client: Duplex, ways: BrokerWays): Promise<void>;
}

/** The network access of a broker. Its failed calls are already in the journal. */
export interface BrokerWays {
  /** Services of the host's loopback are at `127.0.0.1` or `::1`. */
  readonly destination: Destination;
  /**
   * Opens a new connection to a vetted address of the destination. Each is decided and vetted again, and ends with the
   * client. Refused if a rule redirects the destination, because its secrets are for no other host.
   */
  dial(): Promise<Dialled | Refused>;
  /**
   * Terminates TLS on the client's side in the name of the destination, also for clients that name no host. All bytes
   * before TLS must have been read.
   */
  terminateTls(client: Duplex): Promise<{ readonly kind: 'secured'; readonly socket: Duplex } | Refused>;
  /** Starts TLS on the upstream side, without ALPN, and verifies the destination's name (`localhost` on loopback). */
  secure(upstream: Socket): Promise<{ readonly kind: 'secured'; readonly socket: Duplex } | Refused>;
  /** Records an event in the journal. The `text` of a statement never holds a secret of the session. */
  record(event: BrokerEvent): void;
  /** Watches for the end of the client while it waits for an approval. */
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
   * One statement or command. Frequent ones share an event, and `count` is their number. `outcome` is the protocol's
   * own word if it has one: `SELECT 3`, `ERROR 25006`. `refusal`: the reason of a denial, after which the connection
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
 * Searches the client's bytes on one watched connection without HTTP. It may hold bytes back until more have arrived.
 * The bytes that it returns go on, unchanged and in order. `stop` resets the connection.
 */
export interface StreamWatch {
  push(bytes: Buffer): Buffer | 'stop';
  /**
   * Returns the held bytes, because the client has ended, or is silent while the server may be waiting for them. Later
   * bytes still count as following them.
   */
  end(): Buffer | 'stop';
}

/**
 * Names that exist only in boxes, with their targets. Plain HTTP/1.1 to port 80 of the name becomes https to the
 * destination.
 */
export type Routes = ReadonlyMap<string, Destination>;

/** A journal entry about one connection. */
export interface ConnectionRecord {
  readonly front: ConnectionFront;
  readonly destination: Destination;
  /** The vetted address that was dialled. Absent if no address was. */
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
  /** Method and path are empty if the bytes were not a request. */
  readonly request: HttpRequest;
  /** Status that the client got. 0 if the client was gone before. */
  readonly status: number;
  /** Absent if the policy was not asked, because the request was malformed or for another destination. */
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
}
