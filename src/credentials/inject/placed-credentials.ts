import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import { type IncomingResponse, type OutgoingRequest, withField } from '../../egress/http/message.ts';
import { meanings } from '../../egress/http/overrides.ts';
import { readingsOf } from '../../egress/http/url-path.ts';
import type { Refused } from '../../egress/types.ts';
import { boundTo, boundToHost } from '../../policy/credentials/broker-for.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { sigv4 } from '../sigv4/sigv4.ts';
import { accessToken, dockerRegistry } from '../tokens/inject/docker-registry.ts';
import { oauth2Login } from '../tokens/inject/oauth2-login.ts';
import type { CredentialContext, PhantomOwner, Secret } from '../types.ts';
import { basic, basicValue, keyHeaders } from './basic.ts';
import { cookie } from './cookie.ts';
import { escaped, parametersOf, targetPath, withParameters } from './target.ts';
import type {
  FoundPhantom,
  HttpInjectionKind,
  InjectionOf,
  InjectionParts,
  Injector,
  InjectorParts,
  Injectors,
  RequestPlace,
} from './types.ts';

/** A credential of the destination, with the way in which it is put into requests. */
export interface PlacedCredential {
  readonly credential: Credential;
  readonly places: readonly RequestPlace[];
  readonly strips: readonly string[];
  readonly reads: 'source' | 'nothing';
  readonly state: PhantomOwner['state'];
  /**
   * Returns true if the credential covers this method and path, in every reading of the path, and its injector accepts
   * the request.
   */
  isFor(request: OutgoingRequest): boolean;
  /** Returns true if the injector's `answer` has to see the answer to a request. */
  answersTo(request: OutgoingRequest): boolean;
  inject(request: OutgoingRequest, secret: Secret, about: AboutRequest): Promise<OutgoingRequest | Refused>;
  readonly answer?: (response: IncomingResponse, request: OutgoingRequest) => Promise<IncomingResponse | Refused>;
}

/** A credential that will be put into a request. */
export interface CredentialUse {
  readonly placed: PlacedCredential;
  /** Parts of the request that hold its phantoms. Empty if it is used without one. */
  readonly found: readonly FoundPhantom[];
}

type AboutRequest = Pick<InjectionParts<HttpInjectionKind>, 'asked' | 'found' | 'held'>;

/**
 * Returns every credential that is bound to the destination for any method and path. Empty if another destination is
 * dialled instead.
 */
export function placedCredentials(
  context: CredentialContext,
  connection: InterceptedConnection,
): readonly PlacedCredential[] {
  // Attack: a rule that redirects a host would give the host's secret to the other destination.
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

function placed<Kind extends HttpInjectionKind>(
  kind: Kind,
  { credential, connection, context }: UnplacedParts,
): readonly PlacedCredential[] {
  if (!isOfKind(credential, kind)) return [];
  const injector: Injector<Kind> = injectors[kind];
  const parts: InjectorParts<Kind> = { credential, connection, context };
  const { destination } = connection;
  const answer = injector.answer?.bind(injector);
  const isFor: PlacedCredential['isFor'] = (request) =>
    meanings(request).every(({ method, target }) =>
      boundTo(credential, { ...destination, method, paths: readingsOf(targetPath(target)) }),
    ) &&
    (injector.isFor?.(request, parts) ?? true);
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
      ...(answer === undefined
        ? {}
        : { answer: (response: IncomingResponse, request: OutgoingRequest) => answer(response, request, parts) }),
    },
  ];
}

function isOfKind<Kind extends HttpInjectionKind>(
  credential: Credential,
  kind: Kind,
): credential is Credential & { readonly injection: InjectionOf<Kind> } {
  return credential.injection.kind === kind;
}

/** `Authorization: Bearer SECRET`: RFC 6750 §2.1. npm and most providers of language models use it too. */
const bearer: Injector<'bearer'> = {
  places: () => [{ kind: 'header', key: 'authorization' }],
  strips: () => keyHeaders,
  inject: async (request, { value }) => ({
    ...request,
    fields: withField(request.fields, 'Authorization', `Bearer ${value}`),
  }),
};

/**
 * A header field of the provider, such as `x-api-key`. The phantom may also be in `Authorization`, which SDKs send if
 * they are given a token.
 */
const header: Injector<'header'> = {
  places: ({ credential }) => [
    { kind: 'header', key: credential.injection.name.toLowerCase() },
    { kind: 'header', key: 'authorization' },
  ],
  strips: ({ credential }) => [...new Set([credential.injection.name.toLowerCase(), ...keyHeaders])],
  inject: async (request, { value }, { credential }) => {
    const { name, prefix = '' } = credential.injection;
    return { ...request, fields: withField(request.fields, name, `${prefix}${value}`) };
  },
};

/**
 * Sources: gitprotocol-http(5); git-lfs docs/api/server-discovery.md, batch.md, locking.md; config/routes/git_http.rb
 * of GitLab.
 */
const gitPath =
  /\/(?:info\/refs|git-(?:upload|receive)-pack|info\/lfs\/(?:objects(?:\/[\w-]+)?|locks(?:\/[\w-]+(?:\/unlock)?)?)|gitlab-lfs\/objects\/[\da-f]{64}(?:\/\d+)?)$/u;

/**
 * Basic authentication on the paths of git's smart HTTP protocol and of Git LFS, but not on other pages of the same
 * host.
 */
const git: Injector<'git'> = {
  isFor: ({ target }) => gitPath.test(targetPath(target)),
  places: () => [{ kind: 'header', key: 'authorization' }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { credential }) => ({
    ...request,
    fields: withField(request.fields, 'Authorization', basicValue(credential.injection.user, value)),
  }),
};

/** `?key=SECRET`. If several parameters have that name, one remains, in the position of the first. */
const query: Injector<'query'> = {
  places: ({ credential }) => [{ kind: 'query', parameter: credential.injection.parameter }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { credential }) => {
    const { parameter } = credential.injection;
    const present = parametersOf(request.target);
    const first = present.findIndex(({ name }) => name === parameter);
    const own = `${escaped(parameter)}=${escaped(value)}`;
    const rest = present.flatMap(({ name, text }, index) =>
      index === first ? [own] : name === parameter ? [] : [text],
    );
    return { ...request, target: withParameters(request.target, first === -1 ? [...rest, own] : rest) };
  },
};

/** The secret replaces the phantom in the path: `/bot123:PHANTOM/send`. */
const path: Injector<'path'> = {
  places: () => [{ kind: 'path' }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { context, credential }) => {
    const before = targetPath(request.target);
    // A target is ASCII, so offsets in bytes are offsets in characters.
    const found = context.registry
      .findIn(Buffer.from(before, 'latin1'))
      .filter((sighting) => isOf(credential, sighting) && sighting.encoding === 'plain');
    const after = found
      .toSorted((a, b) => b.start - a.start)
      .reduce((text, { start, end }) => `${text.slice(0, start)}${inPath(value)}${text.slice(end)}`, before);
    return { ...request, target: `${after}${request.target.slice(before.length)}` };
  },
};

/** Injectors by kind of credential. */
const injectors: Injectors = {
  basic,
  bearer,
  cookie,
  'docker-registry': dockerRegistry,
  git,
  'github-app': accessToken(),
  header,
  'oauth2-client': accessToken(),
  'oauth2-login': oauth2Login,
  'oauth2-refresh': accessToken(),
  path,
  query,
  'service-account': accessToken(),
  sigv4,
};

/**
 * Keeps slashes, because the secret of a webhook may be several segments. Also keeps characters of tokens that RFC 3986
 * §3.3 allows.
 */
function inPath(value: string): string {
  return escaped(value).replaceAll(/%(?:2F|3A|40|3D|2B|2C|24|26)/gu, decodeURIComponent);
}

/** Returns true if a phantom replaces the secret of this credential. */
export function isOf(credential: Credential, owner: PhantomOwner): boolean {
  return groupOf(credential) === owner.credential;
}
