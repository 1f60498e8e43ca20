import type { Injection, PhantomShape } from '../../credentials/types.ts';

/** What is known of a service that gives out keys, so that a policy need only say where the key is. */
export interface Provider {
  /** As its users call it. */
  readonly title: string;
  /** What kind of key this row is about. */
  readonly key: string;
  /** Where the facts are documented, or which version of which client was read. */
  readonly sources: readonly string[];
  /** The first is the service itself; the others are for more special requests, and have names of their own. */
  readonly ways: readonly [FirstWay, ...ProviderPart[]];
  readonly variables: readonly ProviderVariable[];
  readonly baseUrls: readonly ProviderBaseUrl[];
  /** Documented forms of the key. Phantoms look as the key does, and as the first where the key is not at hand. */
  readonly shapes: readonly ProviderShape[];
  /** What its user has to know. */
  readonly note?: string;
}

/** Where a key is good and how it is sent there. */
export interface ProviderWay {
  /** Host patterns without a port: 443. */
  readonly hosts: readonly string[];
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  readonly injection: Injection;
  readonly use: 'phantom' | 'always';
}

export interface FirstWay extends ProviderWay {
  /** Of a host as the policy has to name it, where there is none that all users share. */
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
  /** `asked`: only where the policy names it, because a client that reads both takes the wrong one. */
  readonly delivered: 'always' | 'asked';
}

/** Never delivered unless the policy asks: it leads past the transparent way. */
export interface ProviderBaseUrl {
  readonly name: string;
  readonly readBy: string;
  /** What the base has after the host. */
  readonly path: string;
}

export interface ProviderShape extends PhantomShape {
  readonly of: string;
}
