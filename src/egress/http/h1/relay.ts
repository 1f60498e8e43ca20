import type { Verdict } from '../../../policy/index.ts';
import type { Refused } from '../../types.ts';
import { authorityOf } from '../authority.ts';
import { requestOf } from '../decide-request.ts';
import { field } from '../fields.ts';
import type { Body, Fields, IncomingResponse, OutgoingRequest } from '../message.ts';
import { sendSafely } from '../send-safely.ts';
import { joinTunnel } from '../tunnel.ts';
import type { Afterwards, Client } from './client.ts';
import { type BodyOutcome, readBody } from './read-body.ts';
import { refuseRequest } from './refuse.ts';
import type { RequestHead } from './request-head.ts';
import { respond } from './respond.ts';
import type { Understood } from './understand.ts';
import { writeHead } from './write-message.ts';

export interface AllowedRequest {
  readonly understood: Understood;
  readonly head: RequestHead;
  readonly verdict: Verdict;
}

/** How far the client's content has been read. */
interface Content {
  readonly body: Body | undefined;
  outcome: BodyOutcome | 'under way' | 'untouched';
}

/** Sends an allowed request on and its answer back. */
export async function relay(client: Client, allowed: AllowedRequest): Promise<Afterwards> {
  const { understood, head, verdict } = allowed;
  const { asked, persistence } = understood;
  const content = contentOf(client, understood);
  const answer = await sendSafely(client.send, outgoing(client, allowed, content.body));
  if (answer.kind === 'refused') return refuseSent(client, { ...allowed, content, answer });
  const { context } = client;
  context.record({ destination: context.destination, request: requestOf(asked, context), status: answer.status, verdict });
  if (answer.tunnel !== undefined) return switchProtocols(client, answer, answer.tunnel);
  const after = await respond(client.stream, answer, { method: asked.method, minor: head.minor, persistence });
  // Content that nobody will read any more stands between the client and its next answer.
  return content.outcome === 'complete' ? after : 'close';
}

function contentOf(client: Client, { framing }: Understood): Content {
  const content: { body: Body | undefined; outcome: Content['outcome'] } = { body: undefined, outcome: 'complete' };
  content.body = readBody(client.source, framing, {
    onDone: (outcome) => {
      content.outcome = outcome;
    },
  });
  if (content.body !== undefined) content.outcome = 'under way';
  return content;
}

function outgoing({ stream, signal, context }: Client, { understood, head }: AllowedRequest, body: Body | undefined): OutgoingRequest {
  const { method, authority, target, upgrade } = understood.asked;
  const onInformational = (status: number, fields: Fields): void => {
    // HTTP/1.0 knows no 1xx: such a client would take it for the answer.
    if (head.minor === 1) writeHead(stream, { line: `HTTP/1.1 ${status} ${informational[status] ?? ''}`, fields, framing: 'none', body: undefined });
  };
  const optional = { ...(body === undefined ? {} : { body }), ...(upgrade === undefined ? {} : { upgrade }) };
  const named = context.knownAs === undefined ? authority : authorityOf(context.destination, context.scheme);
  return { method, scheme: context.scheme, authority: named, target, fields: understood.fields, onInformational, signal, ...optional };
}

const informational: Readonly<Record<number, string>> = { 100: 'Continue', 102: 'Processing', 103: 'Early Hints' };

interface RefusedAnswer extends AllowedRequest {
  readonly content: Content;
  readonly answer: Refused;
}

/** The content of a request that got no answer may be anywhere by now: the connection is of use only if there is none. */
async function refuseSent(client: Client, { understood, head, verdict, content, answer }: RefusedAnswer): Promise<Afterwards> {
  const isBetween = content.outcome === 'complete';
  const rest: Understood = { ...understood, framing: { kind: 'none' }, persistence: isBetween ? understood.persistence : 'close' };
  return refuseRequest(client, { understood: rest, head, refused: answer, verdict });
}

async function switchProtocols(client: Client, { reason, fields }: IncomingResponse, tunnel: NonNullable<IncomingResponse['tunnel']>): Promise<Afterwards> {
  const { stream, source } = client;
  writeHead(stream, { line: `HTTP/1.1 101 ${reason}`, fields, last: [field('Connection', 'Upgrade'), field('Upgrade', 'websocket')], framing: 'none', body: undefined });
  source.detach();
  await joinTunnel(stream, tunnel);
  return 'taken';
}
