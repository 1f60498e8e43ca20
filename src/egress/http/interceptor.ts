import type { Destination, Refused } from '../types.ts';
import type { Body, Fields, IncomingResponse, OutgoingRequest, Scheme } from './message.ts';

/**
 * Sends a request and returns its answer as soon as its head has arrived. Never rejects. Each client sends one request
 * at a time.
 */
export type Send = (request: OutgoingRequest) => Promise<IncomingResponse | Refused>;

/**
 * Wraps a `Send` in another one. An interceptor may change the request, answer it, refuse it, send it twice, and change
 * or watch the answer. The policy has already decided its requests and does not see the changes, so an interceptor is
 * as trusted as the pipeline. One is created for each client connection and used for every request on it. With https,
 * requests reach the destination only after it has proved its name.
 */
export type Interceptor = (send: Send, connection: InterceptedConnection) => Send;

export interface InterceptedConnection {
  /** The decided destination. It is dialled unless redirected, and no request changes it. */
  readonly destination: Destination;
  readonly scheme: Scheme;
  /** Target of a rule's redirect, which is dialled instead. It applies to all requests of the connection. */
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

/** Returns the same body, watched by an observer. Each chunk goes on as soon as the observer has seen it. */
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

/** Returns a body made of chunks. A known `length` is announced to the receiver. */
export function bodyFrom(chunks: AsyncIterable<Buffer>, parts: BodyParts = {}): Body {
  const { length, trailers = () => none } = parts;
  return {
    ...(length === undefined ? {} : { length }),
    trailers,
    [Symbol.asyncIterator]: () => chunks[Symbol.asyncIterator](),
  };
}

/** Returns a body that holds a complete text. */
export function textBody(text: string): Body {
  const bytes = Buffer.from(text);
  async function* once(): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  return bodyFrom(once(), { length: bytes.length });
}
