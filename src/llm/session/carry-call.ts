import { decodedAnswer, readableCodings } from '../../credentials/inject/codings.ts';
import { contentCodings, decodeBody } from '../../credentials/masking/content-codings.ts';
import { ContentRefused, type HeldContent } from '../../egress/http/held-content.ts';
import { type Send, bodyFrom, observeBody } from '../../egress/http/interceptor.ts';
import {
  type Body,
  type IncomingResponse,
  type OutgoingRequest,
  fieldValue,
  valuesOf,
  withField,
  withoutField,
} from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import { createAnswerEditor, type StreamFraming, type ModelCall } from '../index.ts';
import { prepareCall, saidOf, refusedUnkept } from './prepare-call.ts';
import { saidTokens, withSaid } from './said-tokens.ts';
import { refuseCall, tellCall } from './tell-call.ts';
import { stagesFor } from './text-stages.ts';
import type { CallState, LookedCall } from './types.ts';

/** Carries one call to a model: admits, searches and sends it, and meters and filters the answer while it streams. */
export async function carryCall(
  request: OutgoingRequest,
  send: Send,
  looked: LookedCall & { readonly held?: HeldContent },
): Promise<IncomingResponse | Refused> {
  const began = looked.gateway.now();
  const agent = callingAgent(request);
  const content = await readCallContent(request, looked.held);
  const bytes = content.kind === 'bytes' ? content.bytes : undefined;
  const call: ModelCall = { ...saidOf(bytes), ...looked.call };
  const kept = looked.gateway.keep?.({ ...looked, call });
  const state: CallState = { ...looked, call, began, agent, kept };
  if (content.kind === 'unreadable')
    return refuseCall(state, { code: 'unreadable', status: content.status, message: content.why });
  if (call.operation !== 'other' && asksForUnreadable(request))
    return refuseCall(state, {
      code: 'unreadable',
      status: 400,
      message: 'it asks for an answer in a format that Holdfast cannot read',
    });
  const unkept = refusedUnkept(state);
  if (unkept !== undefined) return refuseCall(state, unkept);
  const prepared = prepareCall(state, bytes);
  if (prepared.kind === 'refused') return refuseCall(state, prepared);
  const { bytes: edited, usageOnly } = prepared;
  const outgoing = withContent({ ...request, fields: readableCodings(request.fields) }, content, edited);
  kept?.request(outgoing, edited);
  const answer = await send(outgoing);
  if (answer.kind === 'refused') {
    const { code, message } = answer.refusal;
    // Attack: if a client leaves before the answer begins, the server may still have done the work.
    const refusal = request.signal.aborted ? {} : { refusal: { code, message } };
    tellCall(state, { status: 0, completeness: 'partial', toolCalls: [], ...refusal });
    return answer;
  }
  const decoded = decodedAnswer(answer, request);
  if (decoded.kind === 'response') return answerBody(decoded, { state, usageOnly, signal: request.signal });
  // The server has done the work, so the call counts, even if the client then gets a refusal.
  tellCall(state, { status: answer.status, completeness: 'partial', toolCalls: [] });
  return refuseCall(
    { ...state, kept: undefined },
    { code: 'unreadable', status: 403, message: decoded.refusal.message },
  );
}

/**
 * Attack: Google's servers answer in protobuf if `alt` or `Accept` requests it, and such an answer could be neither
 * counted nor filtered. They leave out members such as the usage if a field mask requests others, and write a script if
 * a callback is requested.
 */
function asksForUnreadable({ target, fields }: OutgoingRequest): boolean {
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  const forms = ['alt', '$alt'].flatMap((name) => query.getAll(name));
  return (
    forms.some((form) => !/^(?:(?:json|sse)(?:;|$)|$)/iu.test(form)) ||
    ['fields', '$fields', 'callback', '$callback'].some((name) => query.getAll(name).some((value) => value !== '')) ||
    valuesOf(fields, 'x-goog-fieldmask').some((value) => value !== '') ||
    valuesOf(fields, 'accept').some((value) => /protobuf/iu.test(value))
  );
}

interface AnswerBodyOptions {
  readonly state: CallState;
  readonly usageOnly: 'keep' | 'drop';
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/**
 * Returns the answer for the client. The call is recorded in the journal when the answer has ended or the client is
 * gone.
 */
function answerBody(answer: IncomingResponse, { state, usageOnly, signal }: AnswerBodyOptions): IncomingResponse {
  const { gateway, dialect, call, began, kept } = state;
  const { body, status } = answer;
  const framing = framingOf(fieldValue(answer.fields, 'content-type'));
  const firstByte = gateway.now() - began;
  if (body === undefined || framing === undefined || status >= 300 || call.operation === 'other') {
    const read = kept?.whole(answer, signal) ?? answer;
    tellCall(state, { status, firstByte, completeness: 'complete', toolCalls: [] });
    return read;
  }
  const counting = dialect.openMeter();
  const meter = kept?.metered(counting, answer, framing) ?? counting;
  const said = saidTokens(stagesFor(state));
  const tell = once(signal, (end) =>
    tellCall(state, { ...withSaid(meter.outcome(end), said.count()), status, firstByte }),
  );
  const editor = createAnswerEditor({ dialect, framing, meter, open: said.open, usageOnly });
  return {
    ...answer,
    fields: answer.fields.filter(({ key }) => !ofContent.has(key)),
    body: edited(body, editor, tell),
  };
}

/** Fields that describe the content as the server sent it. Sources: RFC 9530, RFC 3230, RFC 1864. */
const ofContent: ReadonlySet<string> = new Set([
  'content-length',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
]);

type Tell = (end: 'ended' | 'cut') => void;

/**
 * Attack: a client leaves before it has read anything. Then the answer is not read at all, and the call would be free.
 */
function once(signal: AbortSignal, tell: Tell): Tell {
  let isTold = false;
  const told: Tell = (end) => {
    signal.removeEventListener('abort', onAbort);
    if (isTold) return;
    isTold = true;
    tell(end);
  };
  const onAbort = (): void => {
    try {
      told('cut');
    } catch {
      // The journal is broken, which is noticed elsewhere too. An event has no caller that could get the error.
    }
  };
  if (signal.aborted) told('cut');
  else signal.addEventListener('abort', onAbort);
  return told;
}

function edited(body: Body, editor: ReturnType<typeof createAnswerEditor>, tell: Tell): Body {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    let end: 'ended' | 'cut' = 'cut';
    try {
      for await (const bytes of body) {
        const out = editor.push(bytes);
        if (out.length > 0) yield out;
      }
      const rest = editor.end();
      end = 'ended';
      if (rest.length > 0) yield rest;
    } finally {
      tell(end);
    }
  }
  return bodyFrom(chunks(), { trailers: () => body.trailers() });
}

const framings: readonly (readonly [type: RegExp, framing: Exclude<StreamFraming, 'websocket'>])[] = [
  [/^text\/event-stream\b/iu, 'sse'],
  [/^application\/vnd\.amazon\.eventstream\b/iu, 'event-stream'],
  [/^application\/(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines)\b/iu, 'json-lines'],
  [/^application\/(?:[\w.-]+\+)?json\b/iu, 'json'],
];

function framingOf(type: string | undefined): Exclude<StreamFraming, 'websocket'> | undefined {
  return framings.find(([pattern]) => pattern.test(type?.trim() ?? ''))?.[1];
}

/**
 * Returns the program behind a request, by the first product of its `user-agent`: `claude-cli`. The program may claim
 * any name.
 */
export function callingAgent({ fields }: OutgoingRequest): string | undefined {
  return /^[\w.@/-]{1,60}?(?=\/[\d.]|[ ;(]|$)/u.exec(fieldValue(fields, 'user-agent') ?? '')?.[0];
}

/** Integrity fields and signatures, which no longer match changed content. Sources: RFC 9530, RFC 3230, RFC 1864. */
const digests = ['content-md5', 'digest', 'content-digest', 'repr-digest'];

/**
 * Returns the request with its new content, without codings. Attack: a server decodes compressed content differently
 * than the search does, for example `deflate` with and without a header, or data after the first end.
 */
export function withContent(request: OutgoingRequest, content: Content, bytes: Buffer | undefined): OutgoingRequest {
  if (content.kind !== 'bytes' || bytes === undefined) return request;
  const { body } = request;
  const isSame = bytes === content.bytes && content.form === 'plain';
  async function* once(outgoing: Buffer): AsyncGenerator<Buffer, void> {
    if (outgoing.length > 0) yield outgoing;
  }
  const bare = isSame ? request.fields : ['content-encoding', ...digests].reduce(withoutField, request.fields);
  const fields = request.fields.some(({ key }) => key === 'content-length')
    ? withField(bare, 'Content-Length', String(bytes.length))
    : bare;
  return {
    ...request,
    fields,
    body: bodyFrom(once(bytes), { length: bytes.length, trailers: () => body?.trailers() ?? [] }),
  };
}

/** The decoded content of a request. */
type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer /** The original bytes. */; readonly form: 'plain' | 'coded' }
  | { readonly kind: 'unreadable'; readonly status: number; readonly why: string };

/** Octets. Anthropic accepts 32 MB. OpenAI and Gemini accept 20 MB, and files separately. */
export const longestContent = 64 * 1024 * 1024;

/** Reads the whole content. Refuses content that cannot be searched or does not fit into memory. */
export async function readCallContent({ body, fields }: OutgoingRequest, held?: HeldContent): Promise<Content> {
  if (body === undefined) return { kind: 'none' };
  const codings = contentCodings(valuesOf(fields, 'content-encoding').join(','));
  if (codings.kind === 'unknown')
    return { kind: 'unreadable', status: 415, why: 'its content is compressed in a way that Holdfast cannot decode' };
  if ((body.length ?? 0) > longestContent) return tooLong;
  const read: Buffer[] = [];
  let [length, sentLength] = [0, 0];
  const measure = (bytes: Buffer): void => {
    sentLength += bytes.length;
    // Attack: endless compressed content whose parts decode to nothing.
    if (sentLength > longestContent) throw new RangeError('too long');
  };
  try {
    for await (const bytes of decodeBody(observeBody(body, { chunk: measure }), codings.codings)) {
      length += bytes.length;
      if (length > longestContent) return tooLong;
      held?.add(bytes.length);
      read.push(bytes);
    }
  } catch (error) {
    if (error instanceof ContentRefused) return tooMany;
    return sentLength > longestContent
      ? tooLong
      : {
          kind: 'unreadable',
          status: 400,
          why: 'its content breaks off, is not compressed as its headers say, or continues after its compressed part',
        };
  }
  return { kind: 'bytes', bytes: Buffer.concat(read), form: codings.codings.length === 0 ? 'plain' : 'coded' };
}

const tooMany: Content = {
  kind: 'unreadable',
  status: 429,
  why: 'too many long requests are being inspected at the same time; try again',
};

const tooLong: Content = {
  kind: 'unreadable',
  status: 413,
  why: `its content has over ${longestContent / 2 ** 20} MiB, which is more than Holdfast inspects`,
};
