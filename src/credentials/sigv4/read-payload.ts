import { bodyFrom, type OutgoingRequest } from '../../egress/index.ts';
import { unsignable, type Unsignable } from './unsignable.ts';

/** Content that has to be hashed here is held until its end. Bytes. */
const mostHeld = 32 * 1024 * 1024;

export interface ReadPayload {
  readonly kind: 'payload';
  readonly bytes: Buffer;
  /** The same request, whose body can be sent. */
  readonly request: OutgoingRequest;
}

/**
 * Reads the content of a request whose client did not say its hash. Rejects where the body does, as when it holds a
 * phantom. What is too long is left unread, because who leaves it ends the exchange with the client, which could not be
 * told why.
 */
export async function readPayload(request: OutgoingRequest): Promise<ReadPayload | Unsignable> {
  const { body } = request;
  if (body === undefined) return { kind: 'payload', bytes: Buffer.alloc(0), request };
  if ((body.length ?? 0) > mostHeld) return tooLong();
  const chunks: Buffer[] = [];
  const content = body[Symbol.asyncIterator]();
  let length = 0;
  for (let next = await content.next(); next.done !== true; next = await content.next()) {
    length += next.value.length;
    if (length > mostHeld) return tooLong();
    chunks.push(next.value);
  }
  const bytes = Buffer.concat(chunks);
  return {
    kind: 'payload',
    bytes,
    request: { ...request, body: bodyFrom(once(bytes), { length: bytes.length, trailers: () => body.trailers() }) },
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}

function tooLong(): Unsignable {
  return unsignable(
    'its content is longer than 32 MiB and its hash is not said',
    'Let the client send x-amz-content-sha256.',
  );
}
