import type { Duplex } from 'node:stream';
import type { Verdict } from '../../policy/verdict.ts';
import type { Refused } from '../types.ts';
import { type ByteSource, byteSource } from './byte-source.ts';
import { authorityOf, clientView, decideRequest, type InterceptContext, httpRequestOf } from './decide-request.ts';
import { parseRequestHead, type RequestHead } from './h1/field-lines.ts';
import { type BodyOutcome, readHttp1Body } from './h1/read-body.ts';
import { readHttp1Head, requestBeginning } from './h1/read-head.ts';
import { type Afterwards, type Client, closeGently, refuseMalformed, refuseRequest, refuseSlow } from './h1/refuse.ts';
import { respond, writeHttp1Head } from './h1/respond.ts';
import { understand, type Understood } from './h1/understand.ts';
import { http1Upstream } from './h1/upstream.ts';
import { serveHttp2 } from './h2/serve.ts';
import { chain } from './interceptor.ts';
import { httpLimits } from './limits.ts';
import { type Body, field, type Fields, type IncomingResponse, type OutgoingRequest } from './message.ts';
import { endAfterSilence } from './silence.ts';
import { joinTunnel, sendSafely } from './tunnel.ts';

/** Beginning of HTTP/2 without negotiation. Source: RFC 9113 §3.4. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n');

/**
 * Takes over a client whose connection has been decided. Every request on the connection is decided, sent on and
 * answered. Resolves when the client is gone. Never rejects.
 */
export async function interceptHttp(client: Duplex, context: InterceptContext): Promise<void> {
  client.on('error', () => undefined);
  const record: InterceptContext['record'] = (request) => {
    try {
      context.record(request);
    } catch {
      // A request that cannot be recorded must not go on.
      client.destroy();
    }
  };
  try {
    await serve(client, { ...context, record });
  } catch {
    client.destroy();
  }
}

async function serve(client: Duplex, context: InterceptContext): Promise<void> {
  if (context.alpn === 'h2') return serveHttp2(client, context);
  const source = byteSource(client);
  if (context.scheme === 'https' || !(await beginsWithPreface(client, source)))
    return serveHttp1({ stream: client, source }, context);
  source.detach();
  return serveHttp2(client, context);
}

/** Detects gRPC without TLS, which speaks HTTP/2 without negotiation. */
async function beginsWithPreface(client: Duplex, source: ByteSource): Promise<boolean> {
  endAfterSilence(client, httpLimits.idle);
  let seen: Buffer = Buffer.alloc(0);
  try {
    while (seen.length < preface.length && preface.indexOf(seen) === 0) {
      const bytes = await source.read();
      if (bytes === undefined) break;
      seen = Buffer.concat([seen, bytes]);
    }
  } catch {
    // The code that serves the connection finds the same failure again.
  }
  source.unread(seen);
  return seen.length >= preface.length && seen.indexOf(preface) === 0;
}

interface Accepted {
  readonly stream: Duplex;
  /** Source of the stream, with all bytes of the client so far. */
  readonly source: ByteSource;
}

/** Serves the requests of an HTTP/1.1 connection, one by one. Resolves when it is closed. Never rejects. */
async function serveHttp1({ stream, source }: Accepted, context: InterceptContext): Promise<void> {
  const upstream = http1Upstream(context);
  const gone = new AbortController();
  const client: Client = {
    stream,
    source,
    signal: gone.signal,
    send: chain(context.interceptors, upstream.send, context),
    context,
  };
  stream.on('error', () => undefined);
  // Over TLS, clients do not half close and wait. A client that has ended is gone, and so is the reader of the answer.
  if (clientView(context).scheme === 'https') Object.assign(stream, { allowHalfOpen: false });
  stream.on('close', () => {
    // A shared reason, because the default one is an exception with a stack.
    gone.abort('gone');
    upstream.close();
  });
  let afterwards: Afterwards;
  do {
    endAfterSilence(stream, httpLimits.idle);
    afterwards = await serveOne(client);
  } while (afterwards === 'keep' && stream.writable);
  if (afterwards === 'taken') return;
  client.source.detach();
  await closeGently(stream);
}

async function serveOne(client: Client): Promise<Afterwards> {
  const text = await readHttp1Head(client.source, { beginning: requestBeginning, onSlow: () => refuseSlow(client) });
  if (text === undefined) return 'close';
  if (text.kind === 'problem') return refuseMalformed(client, text);
  endAfterSilence(client.stream, httpLimits.silence);
  const head = parseRequestHead(text.text);
  return head.kind === 'problem' ? refuseMalformed(client, head) : serveHead(client, head);
}

async function serveHead(client: Client, head: RequestHead): Promise<Afterwards> {
  const understood = understand(head, client.context);
  if (understood.kind === 'problem') return refuseMalformed(client, understood, head);
  const decided = await decideRequest(understood.asked, client.context, client.signal);
  if (decided.kind === 'refused') return refuseRequest(client, { understood, head, refused: decided });
  return relay(client, { understood, head, verdict: decided.verdict });
}

interface AllowedRequest {
  readonly understood: Understood;
  readonly head: RequestHead;
  readonly verdict: Verdict;
}

/** Tracks how far the client's content has been read. */
interface Content {
  readonly body: Body | undefined;
  outcome: BodyOutcome | 'under way' | 'untouched';
}

/** Sends an allowed request on, and its answer back. */
async function relay(client: Client, allowed: AllowedRequest): Promise<Afterwards> {
  const { understood, head, verdict } = allowed;
  const { asked, persistence } = understood;
  const content = contentOf(client, understood);
  const answer = await sendSafely(client.send, outgoing(client, allowed, content.body));
  if (answer.kind === 'refused') return refuseSent(client, { ...allowed, content, answer });
  const { context } = client;
  context.record({
    destination: context.destination,
    request: httpRequestOf(asked, context),
    status: answer.status,
    verdict,
  });
  if (answer.tunnel !== undefined) return switchProtocols(client, answer, answer.tunnel);
  const after = await respond(client.stream, answer, { method: asked.method, minor: head.minor, persistence });
  // Unread content would come before the client's next request.
  return content.outcome === 'complete' ? after : 'close';
}

function contentOf(client: Client, { framing }: Understood): Content {
  const content: { body: Body | undefined; outcome: Content['outcome'] } = { body: undefined, outcome: 'complete' };
  content.body = readHttp1Body(client.source, framing, {
    onDone: (outcome) => {
      content.outcome = outcome;
    },
  });
  if (content.body !== undefined) content.outcome = 'under way';
  return content;
}

function outgoing(
  { stream, signal, context }: Client,
  { understood, head }: AllowedRequest,
  body: Body | undefined,
): OutgoingRequest {
  const { method, authority, target, upgrade } = understood.asked;
  const onInformational = (status: number, fields: Fields): void => {
    // HTTP/1.0 has no 1xx, so such a client would take it for the final answer.
    if (head.minor === 1)
      writeHttp1Head(stream, {
        line: `HTTP/1.1 ${status} ${informational[status] ?? ''}`,
        fields,
        framing: 'none',
        body: undefined,
      });
  };
  const optional = { ...(body === undefined ? {} : { body }), ...(upgrade === undefined ? {} : { upgrade }) };
  const named = context.knownAs === undefined ? authority : authorityOf(context.destination, context.scheme);
  return {
    method,
    scheme: context.scheme,
    authority: named,
    target,
    fields: understood.fields,
    onInformational,
    signal,
    ...optional,
  };
}

const informational: Readonly<Record<number, string>> = { 100: 'Continue', 102: 'Processing', 103: 'Early Hints' };

interface RefusedAnswer extends AllowedRequest {
  readonly content: Content;
  readonly answer: Refused;
}

/**
 * Content of an unanswered request may have been read to any point. The connection stays usable only if it was read
 * completely.
 */
async function refuseSent(
  client: Client,
  { understood, head, verdict, content, answer }: RefusedAnswer,
): Promise<Afterwards> {
  const isBetween = content.outcome === 'complete';
  const rest: Understood = {
    ...understood,
    framing: { kind: 'none' },
    persistence: isBetween ? understood.persistence : 'close',
  };
  return refuseRequest(client, { understood: rest, head, refused: answer, verdict });
}

async function switchProtocols(
  client: Client,
  { reason, fields }: IncomingResponse,
  tunnel: NonNullable<IncomingResponse['tunnel']>,
): Promise<Afterwards> {
  const { stream, source } = client;
  writeHttp1Head(stream, {
    line: `HTTP/1.1 101 ${reason}`,
    fields,
    last: [field('Connection', 'Upgrade'), field('Upgrade', 'websocket')],
    framing: 'none',
    body: undefined,
  });
  source.detach();
  await joinTunnel(stream, tunnel);
  return 'taken';
}
