import type { BuiltinName } from '../builtin/builtin-name.ts';
import type { CredentialGroup } from '../credentials/credential-group.ts';
import type { HostOfRequest } from '../kinds/host.ts';
import type { SocketQuery, TrustQuery } from '../kinds/trust.ts';
import type { Host } from '../normalise/host.ts';
import type { Answer, Origin } from '../origin.ts';
import type { CommandQuery } from '../patterns/command-index.ts';
import type { CommandPattern, ForwardPattern } from '../patterns/command-pattern.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import type { PortSet } from '../patterns/port-set.ts';
import type { PathInParts, ResolvedPath } from '../patterns/resolve-path.ts';
import type {
  ConnectRequest,
  DnsRequest,
  EnvRequest,
  HttpRequest,
  RequestKind,
  SignalRequest,
  ToolRequest,
} from '../request.ts';
import type { Decision, LayerKind } from '../verdict.ts';
import type { LayerSettings } from './settings.ts';

/** The form of each kind of request that patterns match. */
export interface QueryTable {
  readonly file: PathInParts;
  readonly exec: CommandQuery;
  readonly connect: HostOfRequest<ConnectRequest>;
  readonly http: HostOfRequest<HttpRequest>;
  readonly dns: HostOfRequest<DnsRequest>;
  readonly socket: SocketQuery;
  readonly signal: SignalRequest;
  readonly env: EnvRequest;
  readonly tool: ToolRequest;
  readonly trust: TrustQuery;
  readonly registry: PathInParts;
}

/** Undefined if the layer abstains. */
export type Answerers = { readonly [Kind in RequestKind]: (query: QueryTable[Kind]) => Answer | undefined };

/**
 * The effect on a path that a policy names. `release` removes a built-in protection or hiding. `audit` changes nothing
 * that a box sees.
 */
export type FileUse = 'read' | 'write' | 'deny' | 'protect' | 'ephemeral' | 'release' | 'audit';

export interface FileStatement {
  readonly use: FileUse;
  readonly pattern: ResolvedPath;
  readonly origin: Origin;
}

/** A built-in name that this layer protects or hides, with its releases. */
export interface NameStatement {
  readonly name: BuiltinName;
  readonly released: readonly ResolvedPath[];
  readonly origin: Origin;
}

/** A pattern about commands, with its decision. */
export interface CommandStatement {
  readonly pattern: CommandPattern;
  readonly decision: Decision;
  /** Undefined for both. */
  readonly context?: 'direct' | 'nested';
}

/** One line of a policy as `holdfast policy show` prints it. */
export interface Statement {
  /** For example `files.read`, `exec` or `limits.memory`. */
  readonly subject: string;
  readonly value: string;
  readonly origin: Origin;
  readonly reason?: string;
}

/** One compiled layer. Immutable; two layers with equal `id` are the same layer. */
export interface Layer {
  readonly id: string;
  readonly kind: LayerKind;
  readonly file: string;
  readonly answers: Answerers;
  readonly network: LayerNetwork;
  readonly settings: LayerSettings;
  readonly credentials: readonly CredentialGroup[];
  /** Computed on demand: most commands need none of it. */
  readonly files: () => readonly FileStatement[];
  readonly names: () => readonly NameStatement[];
  readonly statements: () => readonly Statement[];
  /** Patterns about commands, in the order in which they are tried. */
  readonly commands: () => readonly CommandStatement[];
  /** Whether the layer has a list of allowed commands. An empty list allows none. */
  readonly limitsCommands: boolean;
  /** Every decision of the layer's own rules and lists. Used to check mechanisms and approvers. */
  readonly uses: () => readonly FeatureUse[];
}

/** A layer's settings of the network, without its decisions. */
export interface LayerNetwork {
  /** The answer about an address itself, not about a name that resolves to it. Undefined if the layer abstains. */
  readonly address: (query: HostOfRequest<ConnectRequest>) => Answer | undefined;
  readonly treatment: (host: Host, port: number) => LayerTreatment;
  /** Whether a rule about requests could allow some request. */
  readonly grantsRequests: (host: Host, port: number) => boolean;
  /** The same, without an approval. */
  readonly grantsRequestsUnasked: (host: Host, port: number) => boolean;
  readonly facts: () => NetworkFacts;
}

/**
 * One layer's treatment of a host. `splice`: nothing to inspect. `broker`: the protocol of a database. `intercept`:
 * requests to inspect. `passthrough`: never inspected.
 */
export type LayerTreatment = 'splice' | 'broker' | 'intercept' | 'passthrough';

/** Network paths that must exist before a box starts. */
export interface NetworkFacts {
  /** Ports to which the layer could allow anything, loopback excluded. */
  readonly ports: PortSet;
  /** Patterns that open the host's loopback. */
  readonly loopback: readonly PlacedPattern[];
  /** Undefined if the layer mentions no forwards. */
  readonly forwards: readonly PlacedForward[] | undefined;
  readonly passthrough: readonly PlacedPattern[];
  /** Patterns that could allow a TCP connection. */
  readonly openings: readonly PlacedPattern[];
  readonly httpRules: readonly PlacedHttpRule[];
  /** Absolute paths. */
  readonly authorities: readonly string[];
}

export interface PlacedPattern {
  readonly pattern: HostPattern;
  readonly origin: Origin;
}

/** `unconditional`: allows every request to its hosts, so nothing is lost if requests are not inspected. */
export interface PlacedHttpRule extends PlacedPattern {
  readonly effect: 'unconditional' | 'conditional';
}

export interface PlacedForward extends ForwardPattern {
  readonly origin: Origin;
}

/**
 * Features that need more than decisions: UDP, ports shown on the host, TLS passed through, further authorities, real
 * addresses, credentials.
 */
export type NetworkFeature = 'udp' | 'forward' | 'passthrough' | 'ca' | 'real-dns' | 'credential';

export interface FeatureUse {
  readonly kind: RequestKind | NetworkFeature;
  readonly decision: Answer['decision'];
  readonly origin: Origin;
  /** Operations of a rule. Undefined for an item of a list, and for a rule about every operation. */
  readonly operations?: readonly string[];
  readonly from: 'list' | 'rule';
}
