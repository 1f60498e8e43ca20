import type { OutgoingRequest } from '../../egress/index.ts';
import type { PhantomOwner, PhantomRegistry } from '../types.ts';
import { partsOf, type RequestPart } from './request-parts.ts';
import type { Place } from './types.ts';

/** A phantom in one part of a request. */
export interface SeenPhantom extends PhantomOwner {
  readonly words: string;
  readonly place?: Place;
}

/** Every phantom in the parts of a request; once for each part. */
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

/** Whether a phantom is left anywhere in the head of a request, or in its content where that was read. */
export function holdsPhantom(request: OutgoingRequest, body: Buffer | undefined, registry: PhantomRegistry): boolean {
  return registry.findIn(joined(partsOf(request, body))).length > 0;
}

/** Everything that is said, one text a line. */
export function joined(parts: readonly RequestPart[]): Buffer {
  return Buffer.from(parts.flatMap(({ texts }) => texts).join('\n'), 'latin1');
}
