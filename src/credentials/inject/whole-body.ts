import { type Body, type OutgoingRequest, valueOf } from '../../egress/index.ts';

/** Octets. Token requests have a few hundred; a refresh token may be a large JSON Web Token. */
const limit = 64 * 1024;

export interface Whole {
  readonly request: OutgoingRequest;
  /** The content, where it is a form or JSON that is small enough to be read as a whole. Then the body of `request` can be read again and again. */
  readonly bytes?: Buffer;
}

/** Reads a small form or JSON document as a whole; every other body stays a stream. Rejects when it breaks off. */
export async function wholeBody(request: OutgoingRequest): Promise<Whole> {
  const { body } = request;
  if (body === undefined || !isForm(request) || (body.length ?? 0) > limit) return { request };
  const chunks = body[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (let length = 0; length <= limit; ) {
    const next = await chunks.next();
    if (next.done === true) {
      const bytes = Buffer.concat(read);
      return { request: { ...request, body: { length: bytes.length, trailers: () => body.trailers(), [Symbol.asyncIterator]: () => each([bytes]) } }, bytes };
    }
    read.push(next.value);
    length += next.value.length;
  }
  return { request: { ...request, body: putBack(body, read, chunks) } };
}

function isForm({ fields }: OutgoingRequest): boolean {
  return valueOf(fields, 'content-encoding') === undefined && /^application\/(?:x-www-form-urlencoded|(?:[\w.-]+\+)?json)\s*(?:;|$)/iu.test(valueOf(fields, 'content-type') ?? '');
}

function putBack(body: Body, read: readonly Buffer[], rest: AsyncIterator<Buffer>): Body {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { ...(body.length === undefined ? {} : { length: body.length }), trailers: () => body.trailers(), [Symbol.asyncIterator]: chunks };
}

async function* each(chunks: readonly Buffer[]): AsyncGenerator<Buffer, void> {
  yield* chunks;
}
