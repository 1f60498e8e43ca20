import type { EgressRefusal, InterceptedConnection, OutgoingRequest } from '../../egress/index.ts';
import type { Alarm } from '../types.ts';
import type { SeenPhantom } from './find-phantoms.ts';
import { foreignPlace, isSamePlace } from './foreign-place.ts';
import { isOf } from './is-of.ts';
import type { PlacedCredential, Use } from './placed-credentials.ts';
import { foreignKey, inTheClear, type Misuse, misused, wasRevoked } from './misuse.ts';
import type { FoundPhantom, Place } from './types.ts';

/** What becomes of a request before any secret is read. */
export type Judgement =
  | { readonly kind: 'pass'; readonly uses: readonly Use[] }
  | { readonly kind: 'refused'; readonly refusal: EgressRefusal; readonly alarms: readonly Alarm[] };

export interface Evidence {
  readonly request: OutgoingRequest;
  readonly connection: InterceptedConnection;
  /** The credentials of the destination. */
  readonly here: readonly PlacedCredential[];
  readonly seen: readonly SeenPhantom[];
}

/**
 * Every phantom of a request is in a place of a credential that is good for it, or the request is refused; and so is a
 * key of somebody else where the session has one of its own.
 */
export function judge(evidence: Evidence): Judgement {
  const { connection, request, here, seen } = evidence;
  const wrong = seen.flatMap((phantom) => problemOf(phantom, evidence));
  const [first] = wrong;
  const { destination } = connection;
  if (first !== undefined) return { kind: 'refused', refusal: misused(first.kind, first.phantom.credential, { destination, place: first.phantom.words }), alarms: wrong.map(({ kind, phantom }) => ({ kind, credential: phantom.credential, destination, place: phantom.words })) };
  const uses = usesIn(evidence);
  const clear = uses.find(({ placed }) => placed.credential.binding.transport === 'tls' && connection.scheme === 'http');
  if (clear !== undefined) return { kind: 'refused', refusal: inTheClear(clear.placed.credential.name, destination), alarms: [] };
  // Phantoms that were revoked are refused above: these are used without one.
  const revoked = uses.find(({ placed }) => placed.state === 'revoked');
  if (revoked !== undefined) return { kind: 'refused', refusal: wasRevoked(revoked.placed.credential.name, destination), alarms: [] };
  const foreign = foreignPlace(request, here, { seen, uses });
  if (foreign !== undefined) return { kind: 'refused', refusal: foreignKey(foreign, destination), alarms: [{ kind: 'foreign-credential', credential: '', destination, place: foreign }] };
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

/** Those whose phantom is there; and those that are always used, where none of the former has the same header. */
function usesIn({ here, request, seen }: Evidence): readonly Use[] {
  const suitable = here.filter(({ isFor }) => isFor(request));
  const called = suitable.flatMap((placed, index): readonly Use[] => {
    // Of several ways of one secret, such as a token of a forge, the first takes the phantom.
    const own = seen.filter((phantom) => suitable.findIndex(({ credential, places }) => isOf(credential, phantom) && isIn(phantom, places)) === index);
    const found = own.flatMap(({ place, role }): readonly FoundPhantom[] => (place === undefined ? [] : [{ place, role }]));
    return found.length === 0 ? [] : [{ placed, found }];
  });
  const taken = new Set(called.flatMap(({ placed }) => placed.strips));
  const always = suitable.filter(({ credential, strips }) => credential.use === 'always' && !called.some(({ placed }) => placed.credential === credential) && !strips.some((key) => taken.has(key)));
  return [...called, ...always.map((placed): Use => ({ placed, found: [] }))];
}

function isIn({ place }: SeenPhantom, places: readonly Place[]): boolean {
  return place !== undefined && places.some((candidate) => isSamePlace(candidate, place));
}
