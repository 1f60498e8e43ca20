import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import type { Credential, Injection, InjectionKind } from '../../policy/credentials/types.ts';
import type { CredentialContext, Secret } from '../types.ts';

/** Those that are put into HTTP requests; the others have brokers of their own. */
export type HttpInjectionKind = Exclude<InjectionKind, 'postgres' | 'redis'>;
export type InjectionOf<Kind extends InjectionKind> = Extract<Injection, { readonly kind: Kind }>;

/** A part of a request that a phantom may stand in. Header names in lower case. */
export type RequestPlace =
  | { readonly kind: 'header'; readonly key: string }
  | { readonly kind: 'query'; readonly parameter: string }
  | { readonly kind: 'path' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** Only of small forms and JSON that an injector reads as a whole, such as a token request. */
  | { readonly kind: 'body' };

export interface InjectorParts<Kind extends HttpInjectionKind> {
  readonly credential: Credential & { readonly injection: InjectionOf<Kind> };
  readonly connection: InterceptedConnection;
  readonly context: CredentialContext;
}

/** What an injector is told about the request that it is asked to change. */
export interface InjectionParts<Kind extends HttpInjectionKind> extends InjectorParts<Kind> {
  /** As the client sent it: what `strips` names is still in it. A body that was read as a whole can be read again. */
  readonly asked: OutgoingRequest;
  /** Where phantoms of this credential stand in it. Empty where it is used always. */
  readonly found: readonly FoundPhantom[];
}

/** A phantom in a place that is right for it. */
export interface FoundPhantom {
  readonly place: RequestPlace;
  /** `secret`, or the role given to `mintFor`. */
  readonly role: string;
}

/**
 * How one kind of credential gets into requests. Without state: what has to be kept is in the secret store and the
 * registry.
 */
export interface Injector<Kind extends HttpInjectionKind> {
  /** `nothing`: its source is never read, and `inject` gets an empty secret. Default: `source`. */
  readonly reads?: 'source' | 'nothing';
  /** Whether a request is one that this kind of credential is for, beyond its binding. Default: every one. */
  isFor?(request: OutgoingRequest, parts: InjectorParts<Kind>): boolean;
  /** Where the phantom may stand. Anywhere else it is misplaced. */
  places(parts: InjectorParts<Kind>): readonly RequestPlace[];
  /**
   * Header keys that are taken out before the secret is put in, no matter who sent them. A key of someone else in one
   * of them is foreign.
   */
  strips(parts: InjectorParts<Kind>): readonly string[];
  /**
   * The request as it goes out. What `strips` names is gone from it; a phantom that stands elsewhere is replaced here:
   * one that is left refuses the request.
   */
  inject(request: OutgoingRequest, secret: Secret, parts: InjectionParts<Kind>): Promise<OutgoingRequest | Refused>;
  /**
   * Whether it wants the answer to a request to a host that the credential is bound to. Default: where the credential
   * is bound to the request and for it.
   */
  answersTo?(request: OutgoingRequest, parts: InjectorParts<Kind>): boolean;
  /** Looks at an answer, e.g. to keep tokens outside that it holds. Its content codings are gone already. */
  answer?(
    response: IncomingResponse,
    request: OutgoingRequest,
    parts: InjectorParts<Kind>,
  ): Promise<IncomingResponse | Refused>;
}

export type Injectors = { readonly [Kind in HttpInjectionKind]: Injector<Kind> };
