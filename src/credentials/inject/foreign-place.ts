import { type Field, type OutgoingRequest, valuesOf } from '../../egress/index.ts';
import { cookiesOf } from './cookies.ts';
import type { SeenPhantom } from './find-phantoms.ts';
import type { PlacedCredential, Use } from './placed-credentials.ts';
import { headerWords } from './request-parts.ts';
import { parametersOf } from './target.ts';
import type { Place } from './types.ts';

interface Known {
  readonly seen: readonly SeenPhantom[];
  readonly uses: readonly Use[];
}

/** Where a key stands that is nobody's here, in words; undefined where there is none, or where it will be replaced. */
export function foreignPlace(request: OutgoingRequest, here: readonly PlacedCredential[], { seen, uses }: Known): string | undefined {
  const always = uses.filter(({ placed }) => placed.credential.use === 'always').map(({ placed }) => placed);
  const replaced = always.flatMap(({ strips }) => strips);
  const strips = new Set(here.flatMap((placed) => placed.strips));
  // Attack: behind CGI and WSGI `x_api_key` is `x-api-key` as well, and it is not what will be replaced.
  const isGuarded = (key: string): boolean => (strips.has(key) && !replaced.includes(key)) || (key.includes('_') && strips.has(key.replaceAll('_', '-')));
  const phantomAt = (place: Place): boolean => seen.some((phantom) => phantom.place !== undefined && isSamePlace(phantom.place, place));
  const strange = request.fields.find((candidate) => isGuarded(candidate.key) && holdsKey(candidate) && !phantomAt({ kind: 'header', key: candidate.key }));
  if (strange !== undefined) return headerWords(strange.key);
  const places = here.filter((placed) => !always.includes(placed)).flatMap((placed) => placed.places);
  const other = places.find((place) => isGiven(request, place) && !phantomAt(place));
  return other === undefined ? undefined : placeWords[other.kind];
}

export function isSamePlace(a: Place, b: Place): boolean {
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

const placeWords: Readonly<Record<Place['kind'], string>> = { header: 'a header', query: 'the query', cookie: 'a cookie', path: 'the path', body: 'the body' };

/** Clients that were given no key send the word and nothing after it. */
function holdsKey({ value }: Field): boolean {
  return !/^(?:bearer|basic|token)?$/iu.test(value.trim());
}

/** Headers are looked at by what is stripped; a path and a body hold no key of their own. */
function isGiven({ target, fields }: OutgoingRequest, place: Place): boolean {
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
