import { type IncomingResponse, type InterceptedConnection, type OutgoingRequest, readingsOf, type Refused } from '../../egress/index.ts';
import { boundTo, boundToHost, type Credential } from '../../policy/index.ts';
import type { CredentialContext, PhantomOwner, Secret } from '../types.ts';
import { injectors } from './injectors.ts';
import { pathOf } from './target.ts';
import type { FoundPhantom, HttpInjectionKind, InjectionOf, Injector, InjectorParts, Place } from './types.ts';

/** A credential of the destination, with its way into requests. */
export interface PlacedCredential {
  readonly credential: Credential;
  readonly places: readonly Place[];
  readonly strips: readonly string[];
  readonly reads: 'source' | 'nothing';
  readonly state: PhantomOwner['state'];
  /** Whether it is good for this method and path, in every reading of the path, and of a kind that the request takes. */
  isFor(request: OutgoingRequest): boolean;
  /** Whether its `answer` wants the answer to a request. */
  answersTo(request: OutgoingRequest): boolean;
  inject(request: OutgoingRequest, secret: Secret, about: AboutRequest): Promise<OutgoingRequest | Refused>;
  readonly answer?: (response: IncomingResponse, request: OutgoingRequest) => Promise<IncomingResponse | Refused>;
}

/** A credential that is put into a request. */
export interface Use {
  readonly placed: PlacedCredential;
  /** Where its phantoms stand; empty where it is used without. */
  readonly found: readonly FoundPhantom[];
}

interface AboutRequest {
  readonly asked: OutgoingRequest;
  readonly found: readonly FoundPhantom[];
}

/** Every credential that is bound to the destination with some method and path. None where something else is dialled for it. */
export function placedCredentials(context: CredentialContext, connection: InterceptedConnection): readonly PlacedCredential[] {
  // Attack: a rule that redirects a host would hand its secret to whoever is dialled instead.
  if (connection.redirected !== undefined) return [];
  const { host, port } = connection.destination;
  return context.credentials.flatMap((credential) => {
    const { kind } = credential.injection;
    if (kind === 'postgres' || kind === 'redis' || !boundToHost(credential, { host, port })) return [];
    return placed(kind, { credential, connection, context });
  });
}

interface UnplacedParts {
  readonly credential: Credential;
  readonly connection: InterceptedConnection;
  readonly context: CredentialContext;
}

function placed<Kind extends HttpInjectionKind>(kind: Kind, { credential, connection, context }: UnplacedParts): readonly PlacedCredential[] {
  if (!isOfKind(credential, kind)) return [];
  const injector: Injector<Kind> = injectors[kind];
  const parts: InjectorParts<Kind> = { credential, connection, context };
  const { destination } = connection;
  const answer = injector.answer?.bind(injector);
  const isFor: PlacedCredential['isFor'] = (request) => boundTo(credential, { ...destination, method: request.method, paths: readingsOf(pathOf(request.target)) }) && (injector.isFor?.(request, parts) ?? true);
  return [
    {
      credential,
      places: injector.places(parts),
      strips: injector.strips(parts),
      reads: injector.reads ?? 'source',
      state: context.registry.stateOf(credential),
      isFor,
      answersTo: (request) => injector.answersTo?.(request, parts) ?? isFor(request),
      inject: (request, secret, about) => injector.inject(request, secret, { ...parts, ...about }),
      ...(answer === undefined ? {} : { answer: (response: IncomingResponse, request: OutgoingRequest) => answer(response, request, parts) }),
    },
  ];
}

function isOfKind<Kind extends HttpInjectionKind>(credential: Credential, kind: Kind): credential is Credential & { readonly injection: InjectionOf<Kind> } {
  return credential.injection.kind === kind;
}
