import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import { type Field, type OutgoingRequest, valuesOf } from '../../egress/http/message.ts';
import type { EgressRefusal } from '../../egress/types.ts';
import type { Alarm } from '../types.ts';
import { cookiesOf } from './cookie.ts';
import { foreignKey, inTheClear, type Misuse, misused, wasRevoked } from './misuse.ts';
import { isOf, type PlacedCredential, type CredentialUse } from './placed-credentials.ts';
import { headerWords, type SeenPhantom } from './request-parts.ts';
import { parametersOf } from './target.ts';
import type { FoundPhantom, RequestPlace } from './types.ts';

/** Decision on a request, before any secret is read. */
export type InjectionJudgement =
  | { readonly kind: 'pass'; readonly uses: readonly CredentialUse[] }
  | { readonly kind: 'refused'; readonly refusal: EgressRefusal; readonly alarms: readonly Alarm[] };

export interface Evidence {
  readonly request: OutgoingRequest;
  readonly connection: InterceptedConnection;
  /** Credentials of the destination. */
  readonly here: readonly PlacedCredential[];
  readonly seen: readonly SeenPhantom[];
}

/**
 * Refuses a request unless each of its phantoms is in the right part, for a credential that covers the request. Also
 * refuses a key from elsewhere if the session has a credential for the host.
 */
export function judgeInjection(evidence: Evidence): InjectionJudgement {
  const { connection, request, here, seen } = evidence;
  const wrong = seen.flatMap((phantom) => problemOf(phantom, evidence));
  const [first] = wrong;
  const { destination } = connection;
  if (first !== undefined)
    return {
      kind: 'refused',
      refusal: misused(first.kind, first.phantom.credential, { destination, place: first.phantom.words }),
      alarms: wrong.map(({ kind, phantom }) => ({
        kind,
        credential: phantom.credential,
        destination,
        place: phantom.words,
      })),
    };
  const uses = usesIn(evidence);
  const clear = uses.find(
    ({ placed }) => placed.credential.binding.transport === 'tls' && connection.scheme === 'http',
  );
  if (clear !== undefined)
    return { kind: 'refused', refusal: inTheClear(clear.placed.credential.name, destination), alarms: [] };
  // Revoked phantoms were refused above. These revoked credentials are used without a phantom.
  const revoked = uses.find(({ placed }) => placed.state === 'revoked');
  if (revoked !== undefined)
    return { kind: 'refused', refusal: wasRevoked(revoked.placed.credential.name, destination), alarms: [] };
  const foreign = foreignPlace(request, here, { seen, uses });
  if (foreign !== undefined)
    return {
      kind: 'refused',
      refusal: foreignKey(foreign, destination),
      alarms: [{ kind: 'foreign-credential', credential: '', destination, place: foreign }],
    };
  return { kind: 'pass', uses };
}

interface Wrong {
  readonly kind: Misuse;
  readonly phantom: SeenPhantom;
}

function problemOf(phantom: SeenPhantom, { here, request }: Evidence): readonly Wrong[] {
  if (phantom.state === 'revoked') return [{ kind: 'phantom-revoked', phantom }];
  const good = here.filter(({ credential, isFor }) => isOf(credential, phantom) && isFor(request));
  if (good.length === 0) return [{ kind: 'phantom-unbound', phantom }];
  return good.some(({ places }) => isIn(phantom, places)) ? [] : [{ kind: 'phantom-misplaced', phantom }];
}

/**
 * Returns the credentials whose phantom is in the request. Adds those with `use = "always"`, unless a credential with a
 * phantom sets the same header.
 */
function usesIn({ here, request, seen }: Evidence): readonly CredentialUse[] {
  const suitable = here.filter(({ isFor }) => isFor(request));
  const called = suitable.flatMap((placed, index): readonly CredentialUse[] => {
    // A secret may have several ways into a request, such as a forge's token. The first one that fits takes the
    // phantom.
    const own = seen.filter(
      (phantom) =>
        suitable.findIndex(({ credential, places }) => isOf(credential, phantom) && isIn(phantom, places)) === index,
    );
    const found = own.flatMap(({ place, role }): readonly FoundPhantom[] =>
      place === undefined ? [] : [{ place, role }],
    );
    return found.length === 0 ? [] : [{ placed, found }];
  });
  const taken = new Set(called.flatMap(({ placed }) => placed.strips));
  const always = suitable.filter(
    ({ credential, strips }) =>
      credential.use === 'always' &&
      !called.some(({ placed }) => placed.credential === credential) &&
      !strips.some((key) => taken.has(key)),
  );
  return [...called, ...always.map((placed): CredentialUse => ({ placed, found: [] }))];
}

function isIn({ place }: SeenPhantom, places: readonly RequestPlace[]): boolean {
  return place !== undefined && places.some((candidate) => isSamePlace(candidate, place));
}

interface Known {
  readonly seen: readonly SeenPhantom[];
  readonly uses: readonly CredentialUse[];
}

/**
 * Returns, in words, the part of the request that holds a key which no credential of the host owns. Undefined if there
 * is no such key, or if it will be replaced.
 */
function foreignPlace(
  request: OutgoingRequest,
  here: readonly PlacedCredential[],
  { seen, uses }: Known,
): string | undefined {
  const always = uses.filter(({ placed }) => placed.credential.use === 'always').map(({ placed }) => placed);
  const replaced = always.flatMap(({ strips }) => strips);
  const strips = new Set(here.flatMap((placed) => placed.strips));
  // Attack: behind CGI and WSGI, `x_api_key` equals `x-api-key`, and removing `x-api-key` does not remove it.
  const isGuarded = (key: string): boolean =>
    (strips.has(key) && !replaced.includes(key)) || (key.includes('_') && strips.has(key.replaceAll('_', '-')));
  const phantomAt = (place: RequestPlace): boolean =>
    seen.some((phantom) => phantom.place !== undefined && isSamePlace(phantom.place, place));
  const strange = request.fields.find(
    (candidate) =>
      isGuarded(candidate.key) && holdsKey(candidate) && !phantomAt({ kind: 'header', key: candidate.key }),
  );
  if (strange !== undefined) return headerWords(strange.key);
  const places = here.filter((placed) => !always.includes(placed)).flatMap((placed) => placed.places);
  const other = places.find((place) => isGiven(request, place) && !phantomAt(place));
  return other === undefined ? undefined : placeWords[other.kind];
}

function isSamePlace(a: RequestPlace, b: RequestPlace): boolean {
  switch (a.kind) {
    case 'header':
      return b.kind === 'header' && a.key === b.key;
    case 'query':
      return b.kind === 'query' && a.parameter === b.parameter;
    case 'cookie':
      return b.kind === 'cookie' && a.name === b.name;
    case 'path':
    case 'body':
      return a.kind === b.kind;
  }
}

const placeWords: Readonly<Record<RequestPlace['kind'], string>> = {
  header: 'a header',
  query: 'the query',
  cookie: 'a cookie',
  path: 'the path',
  body: 'the body',
};

/** Returns true if a header holds a key. Clients without a key send the scheme with nothing after it. */
function holdsKey({ value }: Field): boolean {
  return !/^(?:bearer|basic|token)?$/iu.test(value.trim());
}

/** Headers are judged by `strips`. The path and the body are not searched for such keys. */
function isGiven({ target, fields }: OutgoingRequest, place: RequestPlace): boolean {
  switch (place.kind) {
    case 'query':
      return parametersOf(target).some(({ name, text }) => name === place.parameter && /=./u.test(text));
    case 'cookie':
      return valuesOf(fields, 'cookie').some((line) => cookiesOf(line).some(({ name }) => name === place.name));
    case 'header':
    case 'path':
    case 'body':
      return false;
  }
}
