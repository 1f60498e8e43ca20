import type { OutgoingRequest } from '../../egress/http/message.ts';
import type { PhantomOwner, PhantomRegistry } from '../types.ts';
import { cookiesOf } from './cookie.ts';
import { parametersOf, targetPath } from './target.ts';
import type { RequestPlace } from './types.ts';

/** One part of a request. It is searched separately, because a phantom is valid only in certain parts. */
export interface RequestPart {
  /** Name of the part, for people. It contains none of the part's content. */
  readonly words: string;
  /** Absent: no credential is ever put there. */
  readonly place?: RequestPlace;
  /**
   * Content of the part, as sent, and decoded from encodings that the searches do not undo. One code point for each
   * byte.
   */
  readonly texts: readonly string[];
}

/** Splits a request into its parts. `body` is the content if it was read whole. Its trailers are then known too. */
export function partsOf(request: OutgoingRequest, body: Buffer | undefined): readonly RequestPart[] {
  const { method, target, fields } = request;
  const parameters = parametersOf(target).map(
    ({ name, text }): RequestPart => ({ words: 'the query', place: { kind: 'query', parameter: name }, texts: [text] }),
  );
  const content: readonly RequestPart[] =
    body === undefined
      ? []
      : [
          { words: 'the body', place: { kind: 'body' }, texts: [body.toString('latin1')] },
          { words: 'a trailer', texts: trailerTexts(request) },
        ];
  return [
    { words: 'the method', texts: [method] },
    { words: 'the path', place: { kind: 'path' }, texts: [targetPath(target)] },
    ...parameters,
    ...fields.flatMap(({ name, key, value }): readonly RequestPart[] => [
      { words: 'the name of a header', texts: [name] },
      ...(key === 'cookie' ? cookieParts(value) : [headerPart(key, value)]),
    ]),
    ...content,
  ];
}

function trailerTexts({ body }: OutgoingRequest): readonly string[] {
  return body?.trailers().flatMap(({ name, value }) => [name, value]) ?? [];
}

function headerPart(key: string, value: string): RequestPart {
  return { words: headerWords(key), place: { kind: 'header', key }, texts: [value, ...basicText(value)] };
}

function cookieParts(value: string): readonly RequestPart[] {
  return cookiesOf(value).map(({ name, text }) => ({
    words: 'a cookie',
    place: { kind: 'cookie', name },
    texts: [text],
  }));
}

/** Returns the words for a header. The name may itself carry data, so only common names are reported. */
export function headerWords(key: string): string {
  return /^[a-z]+(?:-[a-z\d]+)*$/u.test(key) && key.length <= 30 ? `the header ${key}` : 'a header';
}

/** Decodes `Basic` here, because only the whole value can be decoded in one way. */
function basicText(value: string): readonly string[] {
  const [, encoded] = /^basic\s+([\w+/=-]+)\s*$/iu.exec(value) ?? [];
  return encoded === undefined ? [] : [Buffer.from(encoded, 'base64').toString('latin1')];
}

/** A phantom in one part of a request. */
export interface SeenPhantom extends PhantomOwner {
  readonly words: string;
  readonly place?: RequestPlace;
}

/** Returns every phantom in the parts of a request, once for each part. */
export function findPhantoms(parts: readonly RequestPart[], registry: PhantomRegistry): readonly SeenPhantom[] {
  return parts.flatMap(({ words, place, texts }) => {
    const owners = texts.flatMap((text) => registry.findIn(Buffer.from(text, 'latin1')));
    const distinct = new Map(owners.map((owner) => [`${owner.state} ${owner.role} ${owner.credential}`, owner]));
    return [...distinct.values()].map(
      ({ credential, role, state }): SeenPhantom => ({
        credential,
        role,
        state,
        words,
        ...(place === undefined ? {} : { place }),
      }),
    );
  });
}

/** Returns true if a phantom is left in the head of a request, or in its content if the content was read. */
export function holdsPhantom(request: OutgoingRequest, body: Buffer | undefined, registry: PhantomRegistry): boolean {
  return registry.findIn(joinedTexts(partsOf(request, body))).length > 0;
}

/** Joins all texts, one on each line. */
export function joinedTexts(parts: readonly RequestPart[]): Buffer {
  return Buffer.from(parts.flatMap(({ texts }) => texts).join('\n'), 'latin1');
}
