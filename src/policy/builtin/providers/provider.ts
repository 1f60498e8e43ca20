import type { Injection, PhantomShape } from '../../credentials/injection.ts';

/** Facts about a service that issues keys. With them, a policy need only say where the key is. */
export interface Provider {
  /** The name that users know. */
  readonly title: string;
  /** The kind of key that this row describes. */
  readonly key: string;
  /** Documentation of the facts, or the client version whose source was read. */
  readonly sources: readonly string[];
  /** The first way is the service itself. The others are for more special requests, and have their own names. */
  readonly ways: readonly [FirstWay, ...ProviderPart[]];
  readonly variables: readonly ProviderVariable[];
  readonly baseUrls: readonly ProviderBaseUrl[];
  /** Documented formats of the key. A phantom looks like the key, or has the first format if the key is unavailable. */
  readonly shapes: readonly ProviderShape[];
  /** A hint for the user. */
  readonly note?: string;
}

/** Hosts that accept a key, and how the key is sent there. */
export interface ProviderWay {
  /** Host patterns without a port; the port is 443. */
  readonly hosts: readonly string[];
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  readonly injection: Injection;
  readonly use: 'phantom' | 'always';
}

export interface FirstWay extends ProviderWay {
  /** Example of a host, for providers whose hosts differ per user, so that the policy must name them. */
  readonly hostExample?: string;
}

export interface ProviderPart extends ProviderWay {
  readonly name: string;
}

export interface ProviderVariable {
  readonly name: string;
  readonly readBy: string;
  /** Default: `{phantom}`. */
  readonly template?: string;
  /** `asked`: only if the policy names it, because a client that reads both variables takes the wrong one. */
  readonly delivered: 'always' | 'asked';
}

/** A variable for a base URL. Delivered only if the policy asks for it, because it bypasses the transparent proxy. */
export interface ProviderBaseUrl {
  readonly name: string;
  readonly readBy: string;
  /** Path of the base URL, after the host. */
  readonly path: string;
}

export interface ProviderShape extends PhantomShape {
  readonly of: string;
}
