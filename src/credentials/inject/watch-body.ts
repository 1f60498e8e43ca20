import { type Body, bodyFrom, type Fields } from '../../egress/index.ts';
import type { Detected, Detector, Hit } from '../masking/index.ts';

/** Ends the exchange that a body is sent in. */
class BodyStopped extends Error {}

/**
 * The same body as long as nothing is found in it. Nothing of what is found leaves: iterating rejects before. `onHit` is
 * told at once, and the rest of the body is left unread, because who leaves it ends the exchange with the client, which
 * could not be told why.
 */
export function watchBody(body: Body, detector: Detector, onHit: (hit: Hit, place: string) => void): Body {
  async function* watched(): AsyncGenerator<Buffer, void> {
    const chunks = body[Symbol.asyncIterator]();
    let isStopped = false;
    const clear = (detected: Detected, place: string): Buffer => {
      if (detected.kind === 'clear') return detected.bytes;
      isStopped = true;
      onHit(detected.hit, place);
      throw new BodyStopped('The content held what must not leave the box.');
    };
    try {
      const detecting = detector.open();
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        const bytes = clear(detecting.push(next.value), 'the body');
        if (bytes.length > 0) yield bytes;
      }
      const rest = clear(detecting.end(), 'the body');
      if (rest.length > 0) yield rest;
      clear(inTrailers(body, detector), 'a trailer');
    } finally {
      if (!isStopped) await chunks.return?.();
    }
  }
  return bodyFrom(watched(), { ...(body.length === undefined ? {} : { length: body.length }), trailers: () => body.trailers() });
}

function inTrailers(body: Body, detector: Detector): Detected {
  const bytes = textOf(body.trailers());
  const hit = detector.find(bytes);
  return hit === undefined ? { kind: 'clear', bytes } : { kind: 'hit', hit };
}

function textOf(fields: Fields): Buffer {
  return Buffer.from(fields.map(({ name, value }) => `${name}: ${value}`).join('\n'), 'latin1');
}
