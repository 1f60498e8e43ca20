import { commentIn, contentTypes, frameEvents } from './framing.ts';
import type { Answer, Call, Dialect, Endpoint, ModelAnswer, ModelEvent } from './types.ts';

/** An answer as bytes, before anything paces it. */
export interface Composed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A document is one event. */
  readonly events: readonly Buffer[];
  readonly form: 'document' | 'stream';
}

/** The answer of a `dialect` server to a call, if `answer` is next in its script. */
export function compose(dialect: Dialect, call: Call, answer: Answer | undefined): Composed {
  const endpoint = dialect.endpoint(call);
  const refuse = (status: number, message: string): Composed =>
    refusal(status, dialect.refusal(status, message, call.path));
  if (answer?.kind === 'raw') return { status: answer.status, headers: {}, events: answer.events, form: 'stream' };
  if (endpoint === undefined || call.method !== 'POST')
    return refuse(404, `There is no ${call.method} ${call.path} here.`);
  if (call.body === undefined) return refuse(400, 'The body of the request is not JSON.');
  if (answer === undefined) return refuse(400, 'The script has no more answers.');
  if (answer.kind === 'error') return refuse(answer.status, answer.message);
  if (endpoint.answersWith === 'document')
    return document(200, {}, sprinkleMember(JSON.stringify(endpoint.document(answer, call)), answer));
  return {
    status: 200,
    headers: { 'content-type': contentTypes[endpoint.framing], 'cache-control': 'no-cache' },
    events: streamBytes(endpoint, call, answer),
    form: 'stream',
  };
}

/** The events of a stream, including unknown ones and the failure. */
export function streamEvents(endpoint: Endpoint, call: Call, answer: ModelAnswer): readonly ModelEvent[] {
  const events = endpoint.events(answer, call);
  const told =
    answer.failAfter === undefined
      ? events
      : [...events.slice(0, answer.failAfter.events), endpoint.failure(answer.failAfter.message)];
  if (answer.unknown === undefined) return told;
  const last = told.length - 1;
  return told.flatMap((event, index) => [
    { ...event, data: sprinkleMember(event.data, answer) },
    ...(index < last && event.isException === undefined ? [endpoint.unknownEvent] : []),
  ]);
}

function streamBytes(endpoint: Endpoint, call: Call, answer: ModelAnswer): readonly Buffer[] {
  const framed = frameEvents(endpoint.framing, streamEvents(endpoint, call, answer));
  const comment = answer.unknown === undefined ? undefined : commentIn(endpoint.framing);
  return comment === undefined ? framed : framed.map((event) => Buffer.concat([comment, event]));
}

/** With numbers that JavaScript cannot keep as written. */
function sprinkleMember(json: string, { unknown }: ModelAnswer): string {
  return unknown !== undefined && json.startsWith('{')
    ? `{"x_future":{"big":12345678901234567890,"digits":1.50,"escaped":"\\u0041\\/"},${json.slice(1)}`
    : json;
}

function refusal(status: number, { headers, body }: ReturnType<Dialect['refusal']>): Composed {
  return document(status, headers, JSON.stringify(body));
}

function document(status: number, headers: Readonly<Record<string, string>>, json: string): Composed {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    events: [Buffer.from(json)],
    form: 'document',
  };
}
