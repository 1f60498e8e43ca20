import type { Refused } from '../../types.ts';
import { refused } from '../decide-request.ts';
import type { IncomingResponse, OutgoingRequest } from '../message.ts';
import { openUpstream } from '../open-upstream.ts';
import type { InterceptContext } from '../types.ts';
import type { UpstreamLeg } from '../upstream-leg.ts';
import { type Http1Connection, http1Connection, isReusable } from './connection.ts';
import { exchange } from './exchange.ts';

/** What may be sent twice without harm, as far as HTTP knows. Source: RFC 9110 §9.2.2. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND']);

interface Acquired {
  readonly kind: 'acquired';
  readonly connection: Http1Connection;
  readonly origin: 'new' | 'used';
}

/**
 * The requests of one client, one after the other, over one connection that is kept open. What can be sent again may
 * also go over a connection that another client left, because a destination may close such a one at any moment.
 */
export function http1Upstream(context: InterceptContext): UpstreamLeg {
  const { destination, scheme, idle } = context;
  let kept: Http1Connection | undefined;
  let busy: Http1Connection | undefined;
  let isClosed = false;

  const keep = (connection: Http1Connection): void => {
    if (!isClosed) kept = connection;
    else if (idle === undefined) connection.stream.destroy();
    else idle.give(connection, destination, scheme);
  };

  const acquire = async (request: OutgoingRequest): Promise<Acquired | Refused> => {
    // An answer that nobody read to its end still stands on its connection.
    busy?.stream.destroy();
    const own = kept;
    kept = undefined;
    if (own !== undefined && isReusable(own)) return { kind: 'acquired', connection: own, origin: 'used' };
    own?.stream.destroy();
    const left = isRepeatable(request) ? idle?.take(destination, scheme) : undefined;
    return left === undefined ? open(context) : { kind: 'acquired', connection: left, origin: 'used' };
  };

  const attempt = async (connection: Http1Connection, request: OutgoingRequest): ReturnType<typeof exchange> => {
    busy = connection;
    if (isClosed) connection.stream.destroy();
    return exchange(connection, request, {
      onDone: (state) => {
        if (busy === connection) busy = undefined;
        if (state === 'free') keep(connection);
      },
    });
  };

  const send = async (request: OutgoingRequest): Promise<IncomingResponse | Refused> => {
    const first = await acquire(request);
    if (first.kind === 'refused') return first;
    const answer = await attempt(first.connection, request);
    if (answer.kind !== 'unanswered') return answer;
    if (first.origin === 'new' || !isRepeatable(request) || isClosed) return unanswered;
    const second = await open(context);
    if (second.kind === 'refused') return second;
    const again = await attempt(second.connection, request);
    return again.kind === 'unanswered' ? unanswered : again;
  };

  return {
    send,
    close() {
      isClosed = true;
      busy?.stream.destroy();
      if (kept !== undefined) keep(kept);
      kept = undefined;
    },
  };
}

async function open(context: InterceptContext): Promise<Acquired | Refused> {
  const opened = await openUpstream(context, 'http/1.1');
  return opened.kind === 'refused' ? opened : { kind: 'acquired', connection: http1Connection(opened.stream), origin: 'new' };
}

function isRepeatable({ method, body }: OutgoingRequest): boolean {
  return body === undefined && idempotent.has(method);
}

const unanswered = refused({
  code: 'upstream-protocol',
  message: 'The destination closed the connection without an answer.',
  remedy: 'Send the request again if doing it twice does no harm: it may have arrived.',
});
