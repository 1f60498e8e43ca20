import { type Body, bodyFrom } from '../../egress/index.ts';
import type { Masker } from './types.ts';

/** The same content with its secrets masked, as it comes, in the length that it has. Content that is coded has to be decoded before. */
export function maskBody(body: Body, masker: Masker, onMasked: (credential: string) => void): Body {
  async function* masked(): AsyncGenerator<Buffer, void> {
    const masking = masker.open(onMasked);
    for await (const bytes of body) {
      const clear = masking.push(bytes);
      if (clear.length > 0) yield clear;
    }
    const rest = masking.end();
    if (rest.length > 0) yield rest;
  }
  return bodyFrom(masked(), { ...(body.length === undefined ? {} : { length: body.length }), trailers: () => body.trailers() });
}
