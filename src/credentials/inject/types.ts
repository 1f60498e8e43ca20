import type { HeldContent } from '../../egress/http/held-content.ts';
import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import type { Credential, Injection, InjectionKind } from '../../policy/credentials/types.ts';
import type { CredentialContext, Secret } from '../types.ts';

/** Kinds that are put into HTTP requests. The others have brokers. */
export type HttpInjectionKind = Exclude<InjectionKind, 'postgres' | 'redis'>;
export type InjectionOf<Kind extends InjectionKind> = Extract<Injection, { readonly kind: Kind }>;

/** A part of a request that may hold a phantom. Header names are in lower case. */
export type RequestPlace =
  | { readonly kind: 'header'; readonly key: string }
  | { readonly kind: 'query'; readonly parameter: string }
  | { readonly kind: 'path' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** Only for small forms and JSON that an injector reads whole, such as a token request. */
  | { readonly kind: 'body' };

export interface InjectorParts<Kind extends HttpInjectionKind> {
  readonly credential: Credential & { readonly injection: InjectionOf<Kind> };
  readonly connection: InterceptedConnection;
  readonly context: CredentialContext;
}

/** Facts for an injector about the request that it changes. */
export interface InjectionParts<Kind extends HttpInjectionKind> extends InjectorParts<Kind> {
  /**
   * The request as the client sent it, still with the fields of `strips`. A body that was read whole can be read again.
   */
  readonly asked: OutgoingRequest;
  /** Places of this credential's phantoms in the request. Empty if it is used without one. */
  readonly found: readonly FoundPhantom[];
  /** Counts content that an injector reads whole. */
  readonly held: HeldContent;
}

/** A phantom in a valid place. */
export interface FoundPhantom {
  readonly place: RequestPlace;
  /** `secret`, or the role passed to `mintFor`. */
  readonly role: string;
}

/** The way of one kind of credential into requests. It has no state: the secret store and the registry keep it. */
export interface Injector<Kind extends HttpInjectionKind> {
  /** `nothing`: never reads the source, and `inject` gets an empty secret. Default: `source`. */
  readonly reads?: 'source' | 'nothing';
  /** Returns true if this kind of credential takes the request, beyond its binding. Default: every request. */
  isFor?(request: OutgoingRequest, parts: InjectorParts<Kind>): boolean;
  /** Returns the valid places of the phantom. Anywhere else it is misplaced. */
  places(parts: InjectorParts<Kind>): readonly RequestPlace[];
  /**
   * Returns header keys that are removed before the secret goes in, no matter who sent them. Someone else's key in one
   * of them is foreign.
   */
  strips(parts: InjectorParts<Kind>): readonly string[];
  /**
   * Returns the outgoing request. Fields of `strips` are gone from it already. It has to replace phantoms elsewhere: a
   * remaining one refuses the request.
   */
  inject(request: OutgoingRequest, secret: Secret, parts: InjectionParts<Kind>): Promise<OutgoingRequest | Refused>;
  /**
   * Returns true if it wants the answer to a request to a host that the credential is bound to. Default: if the
   * credential is bound to the request and takes it.
   */
  answersTo?(request: OutgoingRequest, parts: InjectorParts<Kind>): boolean;
  /** Looks at an answer, for example to keep its tokens out of the box. The content is decoded already. */
  answer?(
    response: IncomingResponse,
    request: OutgoingRequest,
    parts: InjectorParts<Kind>,
  ): Promise<IncomingResponse | Refused>;
}

export type Injectors = { readonly [Kind in HttpInjectionKind]: Injector<Kind> };
