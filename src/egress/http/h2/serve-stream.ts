import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Verdict } from '../../../policy/verdict.ts';
import {
  type RequestLine,
  decideRequest,
  type InterceptContext,
  malformedHttp,
  namesDestination,
  type RefusedRequest,
  httpRequestOf,
} from '../decide-request.ts';
import { type Send, textBody } from '../interceptor.ts';
import type { Fields, IncomingResponse, OutgoingRequest } from '../message.ts';
import { refusalAnswer } from '../refusals.ts';
import { resetOf } from '../reset.ts';
import { joinTunnel, sendSafely } from '../tunnel.ts';
import { escapeHighBytes } from '../url-path.ts';
import { endToEnd } from '../write-body.ts';
import { fieldsOf, headersOf, readHttp2Body } from './read-body.ts';
import { resetStream, writeContent } from './write-content.ts';

export interface StreamParts {
  readonly headers: IncomingHttpHeaders;
  /** Sends a request through the interceptors to the destination. */
  readonly send: Send;
  readonly context: InterceptContext;
}

/** Decides one request and relays it. Never rejects. */
export async function serveStream(stream: ServerHttp2Stream, parts: StreamParts): Promise<void> {
  stream.on('error', () => undefined);
  try {
    await decideAndRelay(stream, parts);
  } catch {
    // Node throws on fields that it cannot send. Only this stream ends.
    resetStream(stream, constants.NGHTTP2_INTERNAL_ERROR);
  }
}

async function decideAndRelay(stream: ServerHttp2Stream, { headers, send, context }: StreamParts): Promise<void> {
  const served: Served = { stream, headers, context };
  const understood = understand(headers, context);
  if (understood.kind === 'refused') return refuse(served, { asked: askedIn(headers), refused: understood });
  const { asked } = understood;
  const gone = new AbortController();
  stream.on('close', () => gone.abort(clientGone));
  const decided = await decideRequest(asked, context, gone.signal);
  if (decided.kind === 'refused') return refuse(served, { asked, refused: decided });
  const answer = await sendSafely(send, outgoing(served, understood, gone.signal));
  const { verdict } = decided;
  if (answer.kind === 'refused') return refuse(served, { asked, refused: answer, verdict });
  context.record({
    destination: context.destination,
    request: httpRequestOf(asked, context),
    status: answer.status,
    verdict,
  });
  return respond(served, answer);
}

interface Served {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly context: InterceptContext;
}

function outgoing({ stream, context }: Served, { asked, fields }: Understood, signal: AbortSignal): OutgoingRequest {
  const { method, authority, target, upgrade } = asked;
  const body = stream.endAfterHeaders || upgrade !== undefined ? {} : { body: readHttp2Body(stream, fields) };
  const onInformational: OutgoingRequest['onInformational'] = (status, informational) => {
    if (stream.headersSent || stream.closed || stream.destroyed) return;
    try {
      stream.additionalHeaders({ ':status': status, ...headersOf(informational) });
    } catch {
      // A destination may send an interim answer that Node cannot relay, such as 101. The final answer still follows.
    }
  };
  return {
    method,
    scheme: context.scheme,
    authority,
    target,
    fields,
    onInformational,
    signal,
    ...body,
    ...(upgrade === undefined ? {} : { upgrade }),
  };
}

/** A shared reason, because the default one creates an error with a stack for every stream. */
const clientGone = 'The client closed its stream.';

async function respond(served: Served, { status, fields, body, tunnel }: IncomingResponse): Promise<void> {
  const { stream, headers } = served;
  if (stream.closed || stream.destroyed) return;
  if (tunnel !== undefined) {
    stream.respond({ ':status': 200, ...headersOf(fields) });
    return joinTunnel(stream, tunnel);
  }
  const isBodiless = body === undefined || headers[':method'] === 'HEAD' || status === 204 || status === 304;
  stream.respond(
    { ':status': status, ...headersOf(fields) },
    isBodiless ? { endStream: true } : { waitForTrailers: true },
  );
  if (!isBodiless) await writeContent(stream, body);
  // Nobody will read this content any more. RFC 9113 §8.1 lets an answer end a request whose content is still arriving.
  stream.once('finish', () => {
    if (!stream.readableEnded && !stream.endAfterHeaders) resetStream(stream, constants.NGHTTP2_NO_ERROR);
  });
}

interface RefusedParts {
  readonly asked: RequestLine;
  readonly refused: RefusedRequest;
  /** Present if the policy had allowed the request and something else failed. */
  readonly verdict?: Verdict;
}

async function refuse(
  served: Served,
  { asked, refused, verdict = refused.refusal.verdict }: RefusedParts,
): Promise<void> {
  const { stream, headers, context } = served;
  const { refusal, status } = refused;
  const code = resetOf(refused);
  const answer = refusalAnswer(refusal, { fields: fieldsOf(headers), ...(status === undefined ? {} : { status }) });
  context.record({
    destination: context.destination,
    request: httpRequestOf(asked, context),
    status: code === undefined ? answer.status : 0,
    ...(verdict === undefined ? {} : { verdict }),
    refusal,
  });
  if (code !== undefined) return resetStream(stream, code);
  const { status: answered, reason, fields, body } = answer;
  await respond(served, {
    kind: 'response',
    status: answered,
    reason,
    fields,
    ...(body === '' ? {} : { body: textBody(body) }),
  });
}

interface Understood {
  readonly kind: 'understood';
  readonly asked: RequestLine;
  /** End-to-end fields without `Host`. */
  readonly fields: Fields;
}

/** Parses the head of a stream. nghttp2 has already refused heads that are malformed by RFC 9113 §8. */
function understand(headers: IncomingHttpHeaders, context: InterceptContext): Understood | RefusedRequest {
  const {
    ':method': method = '',
    ':scheme': scheme,
    ':path': path,
    ':protocol': protocol,
  } = headers as Readonly<Record<string, string | undefined>>;
  const host = headers['host'];
  const authority = headers[':authority'] ?? host ?? '';
  if (host !== undefined && !namesDestination(host, context.destination))
    return understood({ method, authority: host, target: path ?? '*' }, headers);
  if (method === 'CONNECT' && protocol === undefined) return understood({ method, authority, target: '*' }, headers);
  if (protocol !== undefined && protocol !== 'websocket')
    return malformedHttp('The only protocol that is relayed inside HTTP/2 is "websocket".', 501);
  if (scheme !== context.scheme)
    return malformedHttp(`The scheme of the request is not ${context.scheme}, the scheme of the connection.`);
  if (path === undefined || !(path.startsWith('/') || (path === '*' && method === 'OPTIONS')) || path.includes('#'))
    return malformedHttp('The :path of the request is malformed.');
  return understood(
    { method: protocol === undefined ? method : 'GET', authority, target: escapeHighBytes(path), upgrade: protocol },
    headers,
  );
}

/** Returns the request line of a refused request, for the journal. */
function askedIn(headers: IncomingHttpHeaders): RequestLine {
  return { method: headers[':method'] ?? '', authority: headers[':authority'] ?? '', target: headers[':path'] ?? '' };
}

function understood(asked: RequestLine, headers: IncomingHttpHeaders): Understood {
  const fields = endToEnd(fieldsOf(headers)).filter(({ key }) => key !== 'host');
  return { kind: 'understood', asked: { ...asked, fields }, fields };
}
