import type { Duplex } from 'node:stream';
import type { Verdict } from '../../../policy/verdict.ts';
import type { ByteSource } from '../byte-source.ts';
import {
  type RequestLine,
  type InterceptContext,
  malformedHttp,
  type RefusedRequest,
  httpRequestOf,
} from '../decide-request.ts';
import { type Send, textBody } from '../interceptor.ts';
import { httpLimits } from '../limits.ts';
import type { Body } from '../message.ts';
import { type RefusalAnswer, refusalAnswer, refusePlain } from '../refusals.ts';
import type { HttpProblem, RequestHead } from './field-lines.ts';
import type { BodyFraming } from './framing.ts';
import { readHttp1Body } from './read-body.ts';
import { respond } from './respond.ts';
import type { Persistence, Understood } from './understand.ts';

/** A client's connection while it carries requests. */
export interface Client {
  readonly stream: Duplex;
  readonly source: ByteSource;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
  /** Sends a request through the interceptors to the destination. */
  readonly send: Send;
  readonly context: InterceptContext;
}

/** Fate of the client's connection. `taken`: it no longer carries requests. */
export type Afterwards = 'keep' | 'close' | 'taken';

export interface RefusedParts {
  readonly understood: Understood;
  readonly head: RequestHead;
  readonly refused: RefusedRequest;
  /** Present if the policy had allowed the request and something else failed. */
  readonly verdict?: Verdict;
}

/** Refuses a parsed request. The connection stays usable if the start of its next request can be found. */
export async function refuseRequest(
  client: Client,
  { understood, head, refused, verdict }: RefusedParts,
): Promise<Persistence> {
  const { asked, framing, persistence } = understood;
  const answer = answerTo(client, { asked, head, refused, verdict });
  const canSkip = understood.expectation === 'none' && isShort(framing);
  const after = await respond(
    client.stream,
    { kind: 'response', ...answer, body: textBody(answer.body) },
    { method: asked.method, minor: head.minor, persistence: canSkip ? persistence : 'close' },
  );
  if (after === 'close') return after;
  const rest = readHttp1Body(client.source, framing, { onDone: () => undefined });
  return rest === undefined || (await discard(rest)) ? 'keep' : 'close';
}

/** Refuses bytes whose end as a request is uncertain, and ends the connection. */
export async function refuseMalformed(client: Client, problem: HttpProblem, head?: RequestHead): Promise<Persistence> {
  const asked = { method: head?.method ?? '', authority: '', target: head?.target ?? '' };
  const refused = malformedHttp(problem.message, problem.status);
  const answer = answerTo(client, { asked, head, refused });
  return respond(
    client.stream,
    { kind: 'response', ...answer, body: textBody(answer.body) },
    { method: asked.method, minor: head?.minor ?? 1, persistence: 'close' },
  );
}

/** A client that sends its head slowly ties up a connection: slowloris. */
export function refuseSlow({ stream, context }: Client): void {
  const { refusal } = malformedHttp(
    `The head of the request was not complete after ${httpLimits.slowHead / 1000} seconds.`,
  );
  context.record({
    destination: context.destination,
    request: httpRequestOf(nothingAsked, context),
    status: 408,
    refusal,
  });
  refusePlain(stream, refusal, { status: 408 });
  stream.once('finish', () => stream.destroy());
}

const nothingAsked: RequestLine = { method: '', authority: '', target: '' };

interface AnswerParts {
  readonly asked: RequestLine;
  readonly head: RequestHead | undefined;
  readonly refused: RefusedRequest;
  readonly verdict?: Verdict | undefined;
}

function answerTo(
  { context }: Client,
  { asked, head, refused, verdict = refused.refusal.verdict }: AnswerParts,
): RefusalAnswer {
  const { refusal, status } = refused;
  const answer = refusalAnswer(refusal, { fields: head?.fields ?? [], ...(status === undefined ? {} : { status }) });
  context.record({
    destination: context.destination,
    request: httpRequestOf(asked, context),
    status: answer.status,
    ...(verdict === undefined ? {} : { verdict }),
    refusal,
  });
  return answer;
}

function isShort(framing: BodyFraming): boolean {
  return framing.kind === 'none' || (framing.kind === 'length' && framing.length <= httpLimits.lingerOctets);
}

/**
 * Closes the connection after a last answer. Reads and drops arriving bytes for a moment, because closing with unread
 * bytes resets the connection, and the client may lose the answer. Source: RFC 9112 §9.6.
 */
export function closeGently(client: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (client.closed) return void resolve();
    let left: number = httpLimits.lingerOctets;
    const timer = setTimeout(() => client.destroy(), httpLimits.linger);
    client.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left < 0) client.destroy();
    });
    client.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    client.end();
    client.resume();
  });
}

/** Reads the rest of a refused request, so that the next one can be read. Returns false if the rest is too long. */
async function discard(body: Body): Promise<boolean> {
  let left: number = httpLimits.lingerOctets;
  try {
    for await (const bytes of body) {
      left -= bytes.length;
      if (left < 0) return false;
    }
    return true;
  } catch {
    return false;
  }
}
