import type { Refused } from '../../types.ts';
import { type InterceptContext, refused } from '../decide-request.ts';
import { httpLimits } from '../limits.ts';
import { field, type Fields, type IncomingResponse, type OutgoingRequest, tokensOf, fieldValue } from '../message.ts';
import { openUpstream, type UpstreamLeg } from '../tunnel.ts';
import { endToEnd, type OutgoingFraming, writeBody, type WriteOutcome } from '../write-body.ts';
import { problem, type HttpProblem } from './field-lines.ts';
import { parseResponseHead, responseFraming, type ResponseHead } from './framing.ts';
import { type Http1Connection, http1Connection, isReusable, wasSilent } from './idle-connections.ts';
import { type BodyOutcome, readHttp1Body } from './read-body.ts';
import { readHttp1Head, responseBeginning } from './read-head.ts';
import { writeHttp1Head } from './respond.ts';
import { isWebSocketAnswer } from './understand.ts';

/** Methods that can be repeated without harm. Source: RFC 9110 §9.2.2. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND']);

interface Acquired {
  readonly kind: 'acquired';
  readonly connection: Http1Connection;
  readonly origin: 'new' | 'used';
}

/**
 * Sends the requests of one client, one by one, over one connection that stays open. A connection that another client
 * left may close at any moment, so only a repeatable request may use one.
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
    // The connection still carries an answer that was not read to its end.
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
  return opened.kind === 'refused'
    ? opened
    : { kind: 'acquired', connection: http1Connection(opened.stream), origin: 'new' };
}

function isRepeatable({ method, body }: OutgoingRequest): boolean {
  return body === undefined && idempotent.has(method);
}

const unanswered = refused({
  code: 'upstream-protocol',
  message: 'The destination closed the connection without an answer.',
  remedy: 'Send the request again if repeating it is safe: it may have arrived.',
});

/** The destination closed the connection without an answer. It may never have seen the request. */
interface Unanswered {
  readonly kind: 'unanswered';
}

interface ExchangeOptions {
  /** Called once when the answer has been read: `free` for another request, or `spent` and destroyed. */
  readonly onDone: (state: 'free' | 'spent') => void;
}

/** Sends one request over a connection and reads the head of its final answer. Never rejects. */
async function exchange(
  connection: Http1Connection,
  request: OutgoingRequest,
  { onDone }: ExchangeOptions,
): Promise<IncomingResponse | Refused | Unanswered> {
  const { stream, source } = connection;
  const spend = <Answer>(answer: Answer): Answer => {
    stream.destroy();
    onDone('spent');
    return answer;
  };
  const sending = sendRequest(connection, request);
  const head = await finalHead(connection, request);
  if (head === undefined) return spend(unansweredBy(connection));
  if (head.kind === 'problem') return spend(brokenAnswer(head.message));
  if (head.status === 101) {
    if (!isSwitch(request, head))
      return spend(brokenAnswer('It switched to a protocol that the request did not ask for.'));
    source.detach();
    onDone('spent');
    return { kind: 'response', status: 101, reason: head.reason, fields: endToEnd(head.fields), tunnel: stream };
  }
  const framing = responseFraming(head, request.method);
  if (framing.kind === 'problem') return spend(brokenAnswer(framing.message));
  const settle = (outcome: BodyOutcome): void => {
    if (outcome === 'complete' && sending.outcome === 'complete' && framing.kind !== 'until-close' && staysOpen(head))
      onDone('free');
    else spend(undefined);
  };
  const body = readHttp1Body(source, framing, { onDone: settle });
  if (body === undefined) settle('complete');
  return {
    kind: 'response',
    status: head.status,
    reason: head.reason,
    fields: endToEnd(head.fields),
    ...(body === undefined ? {} : { body }),
  };
}

function isSwitch({ upgrade, fields }: OutgoingRequest, head: ResponseHead): boolean {
  return upgrade !== undefined && isWebSocketAnswer(fields, head.fields);
}

interface Sending {
  outcome: WriteOutcome | 'under way';
}

/**
 * Sends the content while waiting for the answer, because a destination may answer before it has received everything.
 */
function sendRequest({ stream }: Http1Connection, request: OutgoingRequest): Sending {
  const { method, target, authority, fields, body, upgrade } = request;
  const framing = requestFraming(request);
  const last: Fields =
    upgrade === undefined ? connectionOf(fields) : [field('Connection', 'Upgrade'), field('Upgrade', upgrade)];
  writeHttp1Head(stream, {
    line: `${method} ${target} HTTP/1.1`,
    first: [field('Host', authority)],
    fields,
    last,
    framing,
    body,
  });
  const sending: Sending = { outcome: body === undefined ? 'complete' : 'under way' };
  if (body === undefined) return sending;
  writeBody(stream, body, framing).then(
    (outcome) => {
      sending.outcome = outcome;
      if (outcome === 'short') stream.destroy();
    },
    // The client broke off. Half a request must not stay on the connection as if more were to come.
    () => stream.destroy(),
  );
  return sending;
}

function requestFraming({ body }: OutgoingRequest): OutgoingFraming {
  if (body === undefined) return 'none';
  return body.length === undefined ? 'chunked' : 'length';
}

function connectionOf(fields: Fields): Fields {
  return fieldValue(fields, 'te') === undefined ? [] : [field('Connection', 'TE')];
}

async function finalHead(
  { source, stream }: Http1Connection,
  request: OutgoingRequest,
): Promise<ResponseHead | HttpProblem | undefined> {
  for (let count = 0; count <= httpLimits.informational; count += 1) {
    const text = await readHttp1Head(source, { beginning: responseBeginning, onSlow: () => stream.destroy() });
    if (text?.kind !== 'text') return text;
    const head = parseResponseHead(text.text);
    if (head.kind === 'problem' || head.status >= 200 || head.status === 101) return head;
    request.onInformational?.(head.status, endToEnd(head.fields));
  }
  return problem(502, `It sent more than ${httpLimits.informational} answers before the final one.`);
}

function unansweredBy(connection: Http1Connection): Refused | Unanswered {
  if (!wasSilent(connection)) return { kind: 'unanswered' };
  return refused({
    code: 'upstream-timeout',
    message: `The destination did not answer for ${httpLimits.silence / 60_000} minutes.`,
    remedy: 'Try again later, or request less at a time.',
  });
}

function brokenAnswer(message: string): Refused {
  return refused({
    code: 'upstream-protocol',
    message: `The destination's answer is not valid HTTP. ${message}`,
    remedy:
      'If you trust this destination, list it in network.passthrough: Holdfast then does not inspect its traffic.',
  });
}

function staysOpen({ minor, fields }: ResponseHead): boolean {
  const connection = tokensOf(fields, 'connection');
  return minor === 1 ? !connection.includes('close') : connection.includes('keep-alive');
}
