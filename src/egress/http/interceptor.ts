import type { Destination, Refused } from '../types.ts';
import type { Body, Fields, IncomingResponse, OutgoingRequest, Scheme } from './message.ts';

/**
 * Sends a request and gives its answer as soon as the head of it is there. Never rejects. One at a time for each
 * client.
 */
export type Send = (request: OutgoingRequest) => Promise<IncomingResponse | Refused>;

/**
 * Wraps a `Send` in another: it may change the request, answer itself, refuse, send twice, and change or watch the
 * answer. What it sends has been decided already, so an interceptor is as trusted as the pipeline. It is made once for
 * each client connection and asked for every request of it. What it sends reaches the destination only when that has
 * proved its name, where the scheme is https.
 */
export type Interceptor = (send: Send, connection: InterceptedConnection) => Send;

export interface InterceptedConnection {
  /** What was decided, and is dialled if it is not redirected, whatever a request says. */
  readonly destination: Destination;
  readonly scheme: Scheme;
  /** Where a rule redirects it, if one does: that is dialled then. Holds for all requests of the connection. */
  readonly redirected?: Destination;
}

/** The first interceptor sees the request first and the answer last. */
export function chain(interceptors: readonly Interceptor[], send: Send, connection: InterceptedConnection): Send {
  return interceptors.reduceRight((inner, interceptor) => interceptor(inner, connection), send);
}

export interface BodyObserver {
  readonly chunk: (bytes: Buffer) => void;
  /** Called once, at the end of a complete body. */
  readonly end?: (trailers: Fields) => void;
}

/** The same body, with someone watching: each chunk goes on in the moment it has been seen. */
export function observeBody(body: Body, observer: BodyObserver): Body {
  async function* watched(): AsyncGenerator<Buffer, void> {
    for await (const bytes of body) {
      observer.chunk(bytes);
      yield bytes;
    }
    observer.end?.(body.trailers());
  }
  return bodyFrom(watched(), {
    ...(body.length === undefined ? {} : { length: body.length }),
    trailers: () => body.trailers(),
  });
}

export interface BodyParts {
  readonly length?: number;
  readonly trailers?: () => Fields;
}

const none: Fields = [];

/** A body from chunks. Say its `length` when it is known, and the receiver is told beforehand. */
export function bodyFrom(chunks: AsyncIterable<Buffer>, parts: BodyParts = {}): Body {
  const { length, trailers = () => none } = parts;
  return {
    ...(length === undefined ? {} : { length }),
    trailers,
    [Symbol.asyncIterator]: () => chunks[Symbol.asyncIterator](),
  };
}

/** A body that is there already. */
export function textBody(text: string): Body {
  const bytes = Buffer.from(text);
  async function* once(): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  return bodyFrom(once(), { length: bytes.length });
}
