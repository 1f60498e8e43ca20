import type { HeldContent } from '../../egress/http/held-content.ts';
import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import type { Injection, InjectionKind } from '../../policy/credentials/injection.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import type { CredentialContext, Secret } from '../types.ts';

/** Kinds of injection that are put into HTTP requests. The other kinds have brokers. */
export type HttpInjectionKind = Exclude<InjectionKind, 'postgres' | 'redis'>;
export type InjectionOf<Kind extends InjectionKind> = Extract<Injection, { readonly kind: Kind }>;

/** A part of a request that may hold a phantom. Header names are in lower case. */
export type RequestPlace =
  | { readonly kind: 'header'; readonly key: string }
  | { readonly kind: 'query'; readonly parameter: string }
  | { readonly kind: 'path' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** Only a small form or JSON document that an injector reads whole, such as a token request. */
  | { readonly kind: 'body' };

export interface InjectorParts<Kind extends HttpInjectionKind> {
  readonly credential: Credential & { readonly injection: InjectionOf<Kind> };
  readonly connection: InterceptedConnection;
  readonly context: CredentialContext;
}

/** Facts for an injector about the request that it changes. */
export interface InjectionParts<Kind extends HttpInjectionKind> extends InjectorParts<Kind> {
  /**
   * The request as the client sent it, still with the fields of `strips`. If the body was read whole, it can be read
   * again.
   */
  readonly asked: OutgoingRequest;
  /** Parts of the request that hold this credential's phantoms. Empty if it is used without one. */
  readonly found: readonly FoundPhantom[];
  /** Counts the content that an injector reads whole. */
  readonly held: HeldContent;
}

/** A phantom in a part of the request where it is valid. */
export interface FoundPhantom {
  readonly place: RequestPlace;
  /** `secret`, or the role passed to `mintFor`. */
  readonly role: string;
}

/** Puts one kind of credential into requests. It has no state: the secret store and the registry have it. */
export interface Injector<Kind extends HttpInjectionKind> {
  /** `nothing`: the source is never read, and `inject` gets an empty secret. Default: `source`. */
  readonly reads?: 'source' | 'nothing';
  /**
   * Returns true if this kind of credential accepts the request, in addition to its binding. Default: every request.
   */
  isFor?(request: OutgoingRequest, parts: InjectorParts<Kind>): boolean;
  /** Returns the parts in which the phantom is valid. In any other part it is misplaced. */
  places(parts: InjectorParts<Kind>): readonly RequestPlace[];
  /**
   * Returns header keys that are removed before the secret goes in, no matter who sent them. Any other key in one of
   * them refuses the request.
   */
  strips(parts: InjectorParts<Kind>): readonly string[];
  /**
   * Returns the outgoing request. Fields of `strips` are already removed. `inject` has to replace the phantoms in all
   * other parts, because a remaining phantom refuses the request.
   */
  inject(request: OutgoingRequest, secret: Secret, parts: InjectionParts<Kind>): Promise<OutgoingRequest | Refused>;
  /**
   * Returns true if `answer` has to see the answer to a request, for a host that the credential is bound to. Default:
   * true if the credential is bound to the request and accepts it.
   */
  answersTo?(request: OutgoingRequest, parts: InjectorParts<Kind>): boolean;
  /** Inspects an answer, for example to keep its tokens out of the box. The content is already decoded. */
  answer?(
    response: IncomingResponse,
    request: OutgoingRequest,
    parts: InjectorParts<Kind>,
  ): Promise<IncomingResponse | Refused>;
}

export type Injectors = { readonly [Kind in HttpInjectionKind]: Injector<Kind> };
