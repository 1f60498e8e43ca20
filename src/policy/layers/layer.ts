import type { BuiltinName } from '../builtin/builtin-name.ts';
import type { CredentialGroup } from '../credentials/credential-group.ts';
import type { HostOfRequest } from '../kinds/host.ts';
import type { SocketQuery, TrustQuery } from '../kinds/trust.ts';
import type { Host } from '../normalise/host.ts';
import type { Answer, Origin } from '../origin.ts';
import type { CommandQuery } from '../patterns/command-index.ts';
import type { ForwardPattern } from '../patterns/command-pattern.ts';
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
import type { LayerKind } from '../verdict.ts';
import type { CommandStatement } from './command-statements.ts';
import type { LayerSettings } from './settings.ts';

/** A request of each kind in the one form that patterns are matched with. */
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

/** Undefined means that the layer abstains. */
export type Answerers = { readonly [Kind in RequestKind]: (query: QueryTable[Kind]) => Answer | undefined };

/**
 * What a path is named for in a policy. `release` takes a built-in protection or hiding away again; `audit` changes
 * nothing of what a box sees.
 */
export type FileUse = 'read' | 'write' | 'deny' | 'protect' | 'ephemeral' | 'release' | 'audit';

export interface FileStatement {
  readonly use: FileUse;
  readonly pattern: ResolvedPath;
  readonly origin: Origin;
}

/** Built-in names that this layer protects or hides, with what it releases of them. */
export interface NameStatement {
  readonly name: BuiltinName;
  readonly released: readonly ResolvedPath[];
  readonly origin: Origin;
}

/** One line of a policy as `holdfast policy show` prints it. */
export interface Statement {
  /** `files.read`, `exec`, `limits.memory` … */
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
  /** What follows is made when asked for: most commands need none of it. */
  readonly files: () => readonly FileStatement[];
  readonly names: () => readonly NameStatement[];
  readonly statements: () => readonly Statement[];
  /** Patterns about commands, in the order in which they are tried. */
  readonly commands: () => readonly CommandStatement[];
  /** Whether it has a list of allowed commands, be it an empty one, which allows none. */
  readonly limitsCommands: boolean;
  /** Every decision that the layer's own rules and lists can give; for checking mechanisms and approvers. */
  readonly uses: () => readonly FeatureUse[];
}

/** What a layer says about the network beside its decisions. */
export interface LayerNetwork {
  /** About an address for its own sake, not for a name that stands for it. Undefined means that the layer abstains. */
  readonly address: (query: HostOfRequest<ConnectRequest>) => Answer | undefined;
  readonly treatment: (host: Host, port: number) => LayerTreatment;
  /** Whether one of its rules about requests could allow one. */
  readonly grantsRequests: (host: Host, port: number) => boolean;
  /** The same without asking anybody. */
  readonly grantsRequestsUnasked: (host: Host, port: number) => boolean;
  readonly facts: () => NetworkFacts;
}

/**
 * What one layer has to do with a host: a protocol that is not HTTP, requests that it has something to say about, or
 * nothing.
 */
export type LayerTreatment = 'splice' | 'broker' | 'intercept' | 'passthrough';

/** What has to be there before a box starts. */
export interface NetworkFacts {
  /** To which ports the layer could let anything through, loopback apart. */
  readonly ports: PortSet;
  /** Patterns that open the host's loopback. */
  readonly loopback: readonly PlacedPattern[];
  /** Undefined when the layer leaves it to others. */
  readonly forwards: readonly PlacedForward[] | undefined;
  readonly passthrough: readonly PlacedPattern[];
  /** Patterns that could let a TCP connection through. */
  readonly openings: readonly PlacedPattern[];
  readonly httpRules: readonly PlacedHttpRule[];
  /** Absolute paths. */
  readonly authorities: readonly string[];
}

export interface PlacedPattern {
  readonly pattern: HostPattern;
  readonly origin: Origin;
}

/** `unconditional` allows every request to its hosts, so that nothing is lost where it cannot be asked. */
export interface PlacedHttpRule extends PlacedPattern {
  readonly effect: 'unconditional' | 'conditional';
}

export interface PlacedForward extends ForwardPattern {
  readonly origin: Origin;
}

/**
 * What more than deciding has to be there: UDP, ports shown on the host, TLS left alone, further authorities, real
 * addresses, credentials.
 */
export type NetworkFeature = 'udp' | 'forward' | 'passthrough' | 'ca' | 'real-dns' | 'credential';

export interface FeatureUse {
  readonly kind: RequestKind | NetworkFeature;
  readonly decision: Answer['decision'];
  readonly origin: Origin;
  /** Of a rule; absent for an item of a list, and for a rule about every operation. */
  readonly operations?: readonly string[];
  readonly from: 'list' | 'rule';
}
