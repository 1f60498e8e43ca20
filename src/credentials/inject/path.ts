import { isOf } from './is-of.ts';
import { keyHeaders } from './key-headers.ts';
import { escaped, pathOf } from './target.ts';
import type { Injector } from './types.ts';

/** The secret takes the place of the phantom in the path: `/bot123:PHANTOM/send`. */
export const path: Injector<'path'> = {
  places: () => [{ kind: 'path' }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { context, credential }) => {
    const before = pathOf(request.target);
    // Only ASCII stands in a target: offsets in bytes are offsets in characters.
    const found = context.registry.findIn(Buffer.from(before, 'latin1')).filter((sighting) => isOf(credential, sighting) && sighting.encoding === 'plain');
    const after = found.toSorted((a, b) => b.start - a.start).reduce((text, { start, end }) => `${text.slice(0, start)}${inPath(value)}${text.slice(end)}`, before);
    return { ...request, target: `${after}${request.target.slice(before.length)}` };
  },
};

/** Slashes stay: the secret of a webhook may be several segments. So does what RFC 3986 §3.3 allows and tokens are written with. */
function inPath(value: string): string {
  return escaped(value).replaceAll(/%(?:2F|3A|40|3D|2B|2C|24|26)/gu, decodeURIComponent);
}
